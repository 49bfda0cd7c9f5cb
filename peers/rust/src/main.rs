// Reads, writes and makes messages with prost. The form of the requests and answers is that of all programs: peers/dotnet/Peer.cs has it.
use bytes::Bytes;
use prost::Message;
use std::any::TypeId;
use std::hint::black_box;
use std::io::Write;

#[allow(dead_code)]
mod hive {
    include!(concat!(env!("OUT_DIR"), "/test_proxy_pkg.rs"));
}
mod sets {
    include!(concat!(env!("OUT_DIR"), "/sets.rs"));
}

type Work = Box<dyn FnMut()>;

/// Processor time of the process, in seconds.
fn now() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn nanoseconds(work: &mut Work, seconds: f64) -> f64 {
    let (start, mut operations, mut batch) = (now(), 0, 1);
    loop {
        for _ in 0..batch {
            work();
        }
        operations += batch;
        let used = now() - start;
        if used >= seconds {
            return used * 1e9 / operations as f64;
        }
        if used < seconds / 20.0 {
            batch *= 2;
        }
    }
}

/// Makes a message from values, which are those of another message: a struct.
trait Made {
    fn made(&self) -> Self;
}

impl Made for hive::ForwardRequest {
    fn made(&self) -> Self {
        hive::ForwardRequest {
            trace_id: self.trace_id.clone(),
            item_requests: self
                .item_requests
                .iter()
                .map(|item| hive::ForwardPerItemRequest { item_id: item.item_id.clone(), item_context: item.item_context.clone() })
                .collect(),
            request_context_info: self.request_context_info.clone(),
        }
    }
}

impl Made for sets::OrderEvent {
    fn made(&self) -> Self {
        let (placed, total, address) =
            (self.placed.as_ref().unwrap(), self.total.as_ref().unwrap(), self.address.as_ref().unwrap());
        sets::OrderEvent {
            order_id: self.order_id.clone(),
            state: self.state,
            placed: Some(sets::OrderTime { seconds: placed.seconds, nanos: placed.nanos }),
            customer_id: self.customer_id.clone(),
            customer_name: self.customer_name.clone(),
            total: Some(sets::OrderMoney { currency: total.currency.clone(), units: total.units, nanos: total.nanos }),
            address: Some(sets::OrderAddress {
                street: address.street.clone(),
                city: address.city.clone(),
                postal_code: address.postal_code.clone(),
                country: address.country.clone(),
            }),
            items: self.items,
            gift: self.gift,
            note: self.note.clone(),
        }
    }
}

impl Made for sets::SearchAnswer {
    fn made(&self) -> Self {
        sets::SearchAnswer {
            query_id: self.query_id.clone(),
            total: self.total,
            page: self.page,
            hits: self
                .hits
                .iter()
                .map(|hit| sets::SearchHit {
                    id: hit.id,
                    title: hit.title.clone(),
                    snippet: hit.snippet.clone(),
                    score: hit.score,
                    tags: hit.tags.clone(),
                    attributes: hit.attributes.clone(),
                    thumbnail_hash: hit.thumbnail_hash.clone(),
                    in_stock: hit.in_stock,
                    price: hit.price.clone(),
                })
                .collect(),
            facets: self.facets.clone(),
            milliseconds: self.milliseconds,
            next_page: self.next_page.clone(),
        }
    }
}

/// Whether the bytes are those of the message. A map has no order in Rust, so a set with maps is compared after it is read.
fn equal<T: Message + Default + PartialEq + 'static>(message: &T, written: Vec<u8>, wire: &Bytes) -> bool {
    let maps = TypeId::of::<T>() == TypeId::of::<sets::SearchAnswer>();
    written == wire[..] || maps && written.len() == wire.len() && T::decode(Bytes::from(written)).as_ref() == Ok(message)
}

fn makes<T: Message + Default + PartialEq + Made + 'static>(wire: &Bytes) -> (Vec<(&'static str, Work)>, bool) {
    let values = T::decode(wire.clone()).unwrap();
    let same = equal(&values, values.made().encode_to_vec(), wire);
    let mut output = Vec::with_capacity(wire.len());
    let work = move || {
        output.clear();
        values.made().encode(&mut output).unwrap();
        black_box(&output);
    };
    (vec![("vec", Box::new(work))], same)
}

/// The ways, and whether the library writes the bytes that it read.
fn ways<T: Message + Default + PartialEq + 'static>(wire: &Bytes, reads: bool) -> (Vec<(&'static str, Work)>, bool) {
    let message = T::decode(wire.clone()).unwrap();
    let same = equal(&message, message.encode_to_vec(), wire);
    let (fresh, merged) = (wire.clone(), wire.clone());
    let (mut reused, mut output) = (T::default(), Vec::with_capacity(wire.len()));
    let ways: Vec<(&'static str, Work)> = if reads {
        vec![
            ("fresh", Box::new(move || drop(black_box(T::decode(fresh.clone()).unwrap())))),
            ("reused", Box::new(move || {
                reused.clear(); // lists and strings keep their memory, elements of lists do not
                reused.merge(merged.clone()).unwrap();
                black_box(&reused);
            })),
        ]
    } else {
        vec![("vec", Box::new(move || {
            output.clear();
            message.encode(&mut output).unwrap();
            black_box(&output);
        }))]
    };
    (ways, same)
}

fn of(set: &str, verb: &str, wire: &Bytes) -> (Vec<(&'static str, Work)>, bool) {
    let reads = verb == "read";
    match set {
        "Hive" if verb == "make" => makes::<hive::ForwardRequest>(wire),
        "Order" if verb == "make" => makes::<sets::OrderEvent>(wire),
        "Search" if verb == "make" => makes::<sets::SearchAnswer>(wire),
        "Search" => ways::<sets::SearchAnswer>(wire, reads),
        "Order" => ways::<sets::OrderEvent>(wire, reads),
        "Hive" => ways::<hive::ForwardRequest>(wire, reads),
        "Log" => ways::<sets::AccessLog>(wire, reads),
        "Mesh" => ways::<sets::Mesh>(wire, reads),
        "PackedMesh" => ways::<sets::PackedMesh>(wire, reads),
        "SaveData" => ways::<sets::SaveData>(wire, reads),
        "Updates" => ways::<sets::GameUpdates>(wire, reads),
        "Telemetry" => ways::<sets::Telemetry>(wire, reads),
        "Embeddings" => ways::<sets::Embeddings>(wire, reads),
        "Tile" => ways::<sets::MapTile>(wire, reads),
        "Feed" => ways::<sets::TransitFeed>(wire, reads),
        _ => panic!("no set {set}"),
    }
}

fn main() {
    let folder = std::env::args().nth(1).unwrap();
    let (mut last, mut known, mut size) = (String::new(), (Vec::new(), true), 0);
    for request in std::io::stdin().lines() {
        let request = request.unwrap();
        let words: Vec<&str> = request.split(' ').collect();
        if last != words[0].to_owned() + words[1] {
            last = words[0].to_owned() + words[1];
            let wire = Bytes::from(std::fs::read(format!("{folder}/{}.bin", words[0])).unwrap());
            size = wire.len();
            known = of(words[0], words[1], &wire);
            for (_, work) in known.0.iter_mut() {
                nanoseconds(work, words[3].parse().unwrap());
            }
        }
        for (way, work) in known.0.iter_mut() {
            let why = if known.1 { "" } else { r#","why":"writes other bytes""# };
            let time = nanoseconds(work, words[2].parse().unwrap());
            println!(
                r#"{{"library":"prost","version":"{}","way":"{way}","set":"{}","verb":"{}","bytes":{size},"ns":{time:.1}{why}}}"#,
                env!("PROST"), words[0], words[1]
            );
        }
        println!();
        std::io::stdout().flush().unwrap();
    }
}

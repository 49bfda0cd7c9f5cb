// Generates the messages. Fields of bytes refer to the input, which is prost's way without a copy.
fn main() {
    let protos = std::env::var("PROTOS").unwrap();
    let sets = std::fs::read_dir(format!("{protos}/sets")).unwrap().map(|file| file.unwrap().path());
    let files: Vec<_> = sets.chain([format!("{protos}/hive.proto").into()]).collect();
    prost_build::Config::new().bytes(["."]).compile_protos(&files, &[protos]).unwrap();
}

// Reads, writes and makes messages with protobuf-java. The form of the requests and answers is that of all programs: peers/dotnet/Peer.cs has it.
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

final class Peer {
  interface Work {
    Object run() throws IOException;
  }

  private static final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private static final Map<String, Parser<? extends MessageLite>> parsers = Map.ofEntries(
      Map.entry("Hive", TestProxyPkg.Hive.ForwardRequest.parser()),
      Map.entry("Log", sets.Log.AccessLog.parser()),
      Map.entry("Mesh", sets.MeshOuterClass.Mesh.parser()),
      Map.entry("PackedMesh", sets.MeshOuterClass.PackedMesh.parser()),
      Map.entry("SaveData", sets.Savedata.SaveData.parser()),
      Map.entry("Updates", sets.Updates.GameUpdates.parser()),
      Map.entry("Telemetry", sets.TelemetryOuterClass.Telemetry.parser()),
      Map.entry("Embeddings", sets.EmbeddingsOuterClass.Embeddings.parser()),
      Map.entry("Tile", sets.Tile.MapTile.parser()),
      Map.entry("Feed", sets.Feed.TransitFeed.parser()),
      Map.entry("Order", sets.Order.OrderEvent.parser()),
      Map.entry("Search", sets.Search.SearchAnswer.parser()));

  private static volatile Object result;

  // The processor time of the process, with that of the collector and of the JIT. The system counts it, which takes some microseconds.
  private static double nanoseconds(Work work, double seconds) throws IOException {
    long start = system.getProcessCpuTime(), operations = 0, batch = 1;
    while (true) {
      for (long i = 0; i < batch; i++) result = work.run();
      operations += batch;
      long used = system.getProcessCpuTime() - start;
      if (used >= seconds * 1e9) return (double) used / operations;
      if (used < seconds * 1e9 / 20) batch *= 2;
    }
  }

  // The values are those of another message, which keeps its strings.
  private static MessageLite make(MessageLite values) {
    if (values instanceof TestProxyPkg.Hive.ForwardRequest) {
      TestProxyPkg.Hive.ForwardRequest from = (TestProxyPkg.Hive.ForwardRequest) values;
      TestProxyPkg.Hive.ForwardRequest.Builder made = TestProxyPkg.Hive.ForwardRequest.newBuilder()
          .setTraceId(from.getTraceId()).setRequestContextInfo(from.getRequestContextInfo());
      for (TestProxyPkg.Hive.ForwardPerItemRequest item : from.getItemRequestsList()) {
        made.addItemRequests(TestProxyPkg.Hive.ForwardPerItemRequest.newBuilder()
            .setItemId(item.getItemId()).setItemContext(item.getItemContext()));
      }
      return made.build();
    }
    if (values instanceof sets.Search.SearchAnswer) {
      sets.Search.SearchAnswer from = (sets.Search.SearchAnswer) values;
      sets.Search.SearchAnswer.Builder made = sets.Search.SearchAnswer.newBuilder()
          .setQueryId(from.getQueryId()).setTotal(from.getTotal()).setPage(from.getPage());
      for (sets.Search.SearchHit hit : from.getHitsList()) made.addHits(make(hit));
      made.putAllFacets(from.getFacetsMap()).setMilliseconds(from.getMilliseconds());
      if (from.hasNextPage()) made.setNextPage(from.getNextPage());
      return made.build();
    }
    sets.Order.OrderEvent from = (sets.Order.OrderEvent) values;
    return sets.Order.OrderEvent.newBuilder()
        .setOrderId(from.getOrderId()).setState(from.getState())
        .setPlaced(sets.Order.OrderTime.newBuilder().setSeconds(from.getPlaced().getSeconds()).setNanos(from.getPlaced().getNanos()))
        .setCustomerId(from.getCustomerId()).setCustomerName(from.getCustomerName())
        .setTotal(sets.Order.OrderMoney.newBuilder().setCurrency(from.getTotal().getCurrency()).setUnits(from.getTotal().getUnits())
            .setNanos(from.getTotal().getNanos()))
        .setAddress(sets.Order.OrderAddress.newBuilder().setStreet(from.getAddress().getStreet()).setCity(from.getAddress().getCity())
            .setPostalCode(from.getAddress().getPostalCode()).setCountry(from.getAddress().getCountry()))
        .setItems(from.getItems()).setGift(from.getGift()).setNote(from.getNote()).build();
  }

  private static sets.Search.SearchHit.Builder make(sets.Search.SearchHit from) {
    sets.Search.SearchHit.Builder made = sets.Search.SearchHit.newBuilder()
        .setId(from.getId()).setTitle(from.getTitle()).setSnippet(from.getSnippet()).setScore(from.getScore())
        .addAllTags(from.getTagsList()).putAllAttributes(from.getAttributesMap())
        .setThumbnailHash(from.getThumbnailHash()).setInStock(from.getInStock());
    switch (from.getPriceCase()) {
      case CENTS: return made.setCents(from.getCents());
      case ON_REQUEST: return made.setOnRequest(from.getOnRequest());
      default: return made;
    }
  }

  private static Work writing(Supplier<MessageLite> messages, byte[] output) {
    return () -> {
      MessageLite message = messages.get();
      CodedOutputStream stream = CodedOutputStream.newInstance(output, 0, message.getSerializedSize());
      message.writeTo(stream);
      stream.checkNoSpaceLeft();
      return stream;
    };
  }

  public static void main(String[] arguments) throws IOException {
    BufferedReader requests = new BufferedReader(new InputStreamReader(System.in));
    String last = "", why = "";
    byte[] wire = {};
    Work work = null;
    for (String request; (request = requests.readLine()) != null; ) {
      String[] words = request.split(" ");
      boolean reads = words[1].equals("read");
      if (!last.equals(words[0] + words[1])) {
        last = words[0] + words[1];
        byte[] input = wire = Files.readAllBytes(Path.of(arguments[1], words[0] + ".bin"));
        Parser<? extends MessageLite> parser = parsers.get(words[0]);
        byte[] output = new byte[wire.length];
        MessageLite message = parser.parseFrom(wire);
        Work writing = writing(words[1].equals("make") ? () -> make(message) : () -> message, output);
        writing.run();
        why = Arrays.equals(output, wire) ? "" : ",\"why\":\"writes other bytes\"";
        work = reads ? () -> parser.parseFrom(input) : writing;
        nanoseconds(work, Double.parseDouble(words[3]));
      }
      System.out.printf(Locale.ROOT,
          "{\"library\":\"Java\",\"version\":\"%s\",\"way\":\"%s\",\"set\":\"%s\",\"verb\":\"%s\",\"bytes\":%d,\"ns\":%.1f%s}%n%n",
          arguments[0], reads ? "fresh" : "array", words[0], words[1], wire.length, nanoseconds(work, Double.parseDouble(words[2])), why);
    }
  }
}

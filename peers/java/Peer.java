// Reads and writes each set with protobuf-java. The form of the requests and answers is that of all programs: peers/dotnet/Peer.cs has it.
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

final class Peer {
  interface Work {
    Object run() throws IOException;
  }

  private static final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private static final Map<String, Parser<? extends MessageLite>> parsers = Map.of(
      "Hive", TestProxyPkg.Hive.ForwardRequest.parser(),
      "Log", sets.Log.AccessLog.parser(),
      "Mesh", sets.MeshOuterClass.Mesh.parser(),
      "PackedMesh", sets.MeshOuterClass.PackedMesh.parser(),
      "SaveData", sets.Savedata.SaveData.parser(),
      "Updates", sets.Updates.GameUpdates.parser(),
      "Telemetry", sets.TelemetryOuterClass.Telemetry.parser(),
      "Embeddings", sets.EmbeddingsOuterClass.Embeddings.parser(),
      "Tile", sets.Tile.MapTile.parser(),
      "Feed", sets.Feed.TransitFeed.parser());

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

  private static Work writing(MessageLite message, byte[] output) {
    return () -> {
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
        Work writing = writing(parser.parseFrom(wire), output);
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

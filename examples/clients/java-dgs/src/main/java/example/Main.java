package example;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.netflix.graphql.dgs.client.codegen.BaseProjectionNode;
import com.netflix.graphql.dgs.client.codegen.GraphQLMultiQueryRequest;
import com.netflix.graphql.dgs.client.codegen.GraphQLQuery;
import com.netflix.graphql.dgs.client.codegen.GraphQLQueryRequest;
import example.graph.client.ChartVideosGraphQLQuery;
import example.graph.client.ChartVideosProjectionRoot;
import example.graph.client.MetricsGraphQLQuery;
import example.graph.client.MetricsProjectionRoot;
import example.graph.client.VideoGraphQLQuery;
import example.graph.client.VideoProjectionRoot;
import example.graph.types.Video;
import example.graph.types.VideoChart;
import example.graph.types.VideoConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

/** Two pages of a connection and a refused field, with types and queries that DGS codegen made of the schema. */
public final class Main {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .registerModule(new JavaTimeModule())
          // A later version of the graph may have more fields.
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI url;

  private Main(URI url) {
    this.url = url;
  }

  public static void main(String[] arguments) throws Exception {
    new Main(URI.create(arguments[0])).run();
  }

  private void run() throws Exception {
    String after = null;
    String last = null;
    for (int page = 1; page <= 2; page++) {
      VideoConnection videos = page(after);
      for (Video video : videos.getNodes()) {
        System.out.printf("page %d: %s %s%n", page, video.getVideoId(), video.getStatistics().getViewCount());
        last = video.getVideoId();
      }
      after = videos.getPageInfo().getEndCursor();
    }
    guarded(last);
  }

  private VideoConnection page(String after) throws Exception {
    var query = ChartVideosGraphQLQuery.newRequest().chart(VideoChart.MOST_POPULAR).first(2).after(after).build();
    var fields =
        new ChartVideosProjectionRoot<>()
            .nodes().videoId().statistics().viewCount().root()
            .pageInfo().endCursor();
    JsonNode answer = ask(new GraphQLQueryRequest(query, fields).serialize());
    return JSON.treeToValue(answer.at("/data/chartVideos"), VideoConnection.class);
  }

  /** Two root fields in one request, of which one is refused: the errors stand beside the data of the other. */
  private void guarded(String videoId) throws Exception {
    JsonNode answer =
        ask(
            new GraphQLMultiQueryRequest(
                    List.of(
                        request(
                            VideoGraphQLQuery.newRequest().videoId(videoId).build(),
                            new VideoProjectionRoot<>().videoId()),
                        request(
                            MetricsGraphQLQuery.newRequest().build(),
                            new MetricsProjectionRoot<>().query("up", null, null, null, null).resultType())))
                .serialize());
    for (JsonNode error : answer.path("errors")) {
      List<String> path = JSON.convertValue(error.path("path"), JSON.getTypeFactory().constructCollectionType(List.class, String.class));
      System.out.printf("refused: %s %s%n", String.join(".", path), error.at("/extensions/code").asText());
    }
    Video video = JSON.treeToValue(answer.at("/data/video"), Video.class);
    System.out.printf("kept: %s%n", video.getVideoId());
  }

  private static GraphQLQueryRequest request(GraphQLQuery query, BaseProjectionNode fields) {
    return new GraphQLQueryRequest(query, fields);
  }

  private JsonNode ask(String document) throws Exception {
    byte[] body = JSON.writeValueAsBytes(Map.of("query", document));
    var request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    return JSON.readTree(http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body());
  }
}

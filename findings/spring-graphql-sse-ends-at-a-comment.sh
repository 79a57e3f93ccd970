#!/usr/bin/env bash
# Software: Spring for GraphQL 2.0.4 (spring-graphql), its HttpGraphQlClient over spring-webflux 7.0.8, by Spring Boot
# 4.0.7 (Maven).
#
# A subscription by server-sent events ends at the first comment that stands alone, without an error: the app takes it for
# complete, and gets no later event. Servers send such comments so that connections stay open (`:` and a blank line; the
# reference server of GraphQL over SSE, graphql-sse, does so every 12 seconds). A comment in the lines of an event is read
# past. At the end of a subscription the client fails as well: graphql-sse's `complete` has an empty line of data, because
# EventSource dispatches no event without data, and Spring parses that as JSON.
#
# Source: `executeSubscription` in HttpGraphQlTransport of spring-graphql: `takeWhile(event -> "next".equals(event.event()))`
# over what spring-web's ServerSentEventHttpMessageReader makes of each block, a comment alone included.
#
# Seen on 2026-11-30, two events:
#   nothing between them      1, 2, completed
#   a comment between them    1, completed
#   a comment in the event    1, 2, completed
#   complete without data     1, 2, completed
#   complete as graphql-sse   1, 2, JSON decoding error
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p src/main/java/example
cat > pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>org.springframework.boot</groupId>
    <artifactId>spring-boot-starter-parent</artifactId>
    <version>4.0.7</version>
  </parent>
  <groupId>example</groupId>
  <artifactId>stream</artifactId>
  <version>1</version>
  <properties>
    <java.version>17</java.version>
    <spring-graphql.version>2.0.4</spring-graphql.version>
    <spring-framework.version>7.0.8</spring-framework.version>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.springframework.boot</groupId>
      <artifactId>spring-boot-starter-graphql</artifactId>
    </dependency>
    <dependency>
      <groupId>org.springframework.boot</groupId>
      <artifactId>spring-boot-starter-webflux</artifactId>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.springframework.boot</groupId>
        <artifactId>spring-boot-maven-plugin</artifactId>
      </plugin>
    </plugins>
  </build>
</project>
XML
cat > src/main/java/example/Main.java <<'JAVA'
package example;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.graphql.client.HttpGraphQlClient;
import org.springframework.web.reactive.function.client.WebClient;

public class Main {
  static String event(int number) {
    return "event: next\ndata: {\"data\":{\"count\":" + number + "}}\n\n";
  }

  static void attempt(String what, String stream) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/", exchange -> {
      exchange.getRequestBody().readAllBytes();
      exchange.getResponseHeaders().set("content-type", "text/event-stream");
      byte[] bytes = stream.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    });
    server.start();
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    HttpGraphQlClient client = HttpGraphQlClient.create(WebClient.create(url));
    List<String> seen = new ArrayList<>();
    try {
      client.document("subscription { count }").executeSubscription()
          .doOnNext(response -> seen.add(String.valueOf(response.field("count").<Object>getValue())))
          .then().block(Duration.ofSeconds(30));
      seen.add("completed");
    } catch (RuntimeException failure) {
      seen.add(failure.getMessage().contains("JSON decoding error") ? "JSON decoding error" : failure.toString());
    }
    System.out.printf("%-25s %s%n", what, String.join(", ", seen));
    server.stop(0);
  }

  public static void main(String[] arguments) throws Exception {
    attempt("nothing between them", event(1) + event(2));
    attempt("a comment between them", event(1) + ":\n\n" + event(2));
    attempt("a comment in the event", event(1) + ":\n" + event(2));
    attempt("complete without data", event(1) + event(2) + "event: complete\n\n");
    attempt("complete as graphql-sse", event(1) + event(2) + "event: complete\ndata: \n\n");
    System.exit(0);
  }
}
JAVA
mvn --quiet --batch-mode package -DskipTests
java -jar target/stream-1.jar 2>/dev/null | grep -E '^(nothing|a comment|complete) ' | tee seen.txt
diff seen.txt - <<'EXPECTED'
nothing between them      1, 2, completed
a comment between them    1, completed
a comment in the event    1, 2, completed
complete without data     1, 2, completed
complete as graphql-sse   1, 2, JSON decoding error
EXPECTED

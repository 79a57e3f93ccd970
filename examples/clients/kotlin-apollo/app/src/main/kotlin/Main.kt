import com.apollographql.apollo.ApolloClient
import com.apollographql.apollo.api.Optional
import example.graph.ChartPageQuery
import example.graph.GuardedQuery
import kotlinx.coroutines.runBlocking

/** Two pages of a connection and a refused field, with types that Apollo Kotlin made of the schema. */
fun main(arguments: Array<String>) = runBlocking {
    ApolloClient.Builder().serverUrl(arguments[0]).build().use { client ->
        var after: String? = null
        var last = ""
        for (page in 1..2) {
            val videos = checkNotNull(
                client.query(ChartPageQuery(2, Optional.presentIfNotNull(after))).execute().dataOrThrow().chartVideos,
            )
            for (video in videos.nodes) {
                println("page $page: ${video.videoId} ${video.statistics?.viewCount}")
                last = video.videoId
            }
            after = videos.pageInfo.endCursor
        }

        // `dataOrThrow` would lose what came beside the error.
        val answer = client.query(GuardedQuery(last)).execute()
        for (error in answer.errors.orEmpty()) {
            println("refused: ${error.path?.joinToString(".")} ${error.extensions?.get("code")}")
        }
        println("kept: ${answer.data?.video?.videoId}")
    }
}

import com.apollographql.apollo.compiler.ApolloCompiler
import com.apollographql.apollo.compiler.CodegenSchemaOptions
import com.apollographql.apollo.compiler.TargetLanguage
import com.apollographql.apollo.compiler.buildCodegenOptions
import com.apollographql.apollo.compiler.buildIrOptions
import com.apollographql.apollo.compiler.codegen.writeTo
import com.apollographql.apollo.compiler.toInputFiles
import java.io.File

private const val STRING = "kotlin.String"

/** Writes the types of the operations. Arguments: the SDL, the operations, the folder for the sources. */
fun main(arguments: Array<String>) {
    val (schema, operations, folder) = arguments.map(::File)
    ApolloCompiler.buildSchemaAndOperationsSources(
        schemaFiles = listOf(schema).toInputFiles(),
        executableFiles = listOf(operations).toInputFiles(),
        codegenSchemaOptions = CodegenSchemaOptions(
            scalarTypeMapping = mapOf(
                // Decimal digits in a string: toULong or toBigInteger reads them.
                "UInt64" to STRING,
                // 0 to 2^53 - 1, a JSON number.
                "UnsignedInt" to "kotlin.Long",
                // RFC 3339.
                "DateTime" to STRING,
                "MetricsTime" to STRING,
                "MetricsDuration" to STRING,
            ),
            scalarAdapterMapping = listOf("UInt64", "DateTime", "MetricsTime", "MetricsDuration")
                .associateWith { "com.apollographql.apollo.api.StringAdapter" } +
                ("UnsignedInt" to "com.apollographql.apollo.api.LongAdapter"),
            generateDataBuilders = false,
        ),
        irOptions = buildIrOptions(),
        codegenOptions = buildCodegenOptions(
            targetLanguage = TargetLanguage.KOTLIN_1_9,
            packageName = "example.graph",
        ),
        layoutFactory = null,
        operationIdsGenerator = null,
        irOperationsTransform = null,
        javaOutputTransform = null,
        kotlinOutputTransform = null,
        documentTransform = null,
        schemaDocumentTransform = null,
        logger = null,
        operationManifestFile = null,
    ).writeTo(folder, true, null)
}

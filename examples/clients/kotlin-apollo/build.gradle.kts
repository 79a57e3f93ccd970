// What a Gradle project declares. The Maven project beside it generates with the same options.
plugins {
    kotlin("jvm") version "2.3.21"
    id("com.apollographql.apollo") version "5.0.1"
}

repositories { mavenCentral() }

dependencies { implementation("com.apollographql.apollo:apollo-runtime:5.0.1") }

apollo {
    service("tessera") {
        packageName.set("example.graph")
        schemaFile.set(file("../../../schema/api.graphql"))
        srcDir("..")
        includes.set(listOf("operations.graphql"))
        // Decimal digits in a string: toULong or toBigInteger reads them.
        mapScalarToKotlinString("UInt64")
        // 0 to 2^53 - 1, a JSON number.
        mapScalarToKotlinLong("UnsignedInt")
        // RFC 3339.
        mapScalarToKotlinString("DateTime")
        mapScalarToKotlinString("MetricsTime")
        mapScalarToKotlinString("MetricsDuration")
        mapScalar("JSON", "kotlin.Any", "com.apollographql.apollo.api.AnyAdapter")
    }
}

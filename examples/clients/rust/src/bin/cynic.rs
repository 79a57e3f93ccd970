//! Two pages of a connection and a refused field. The types are written by hand; cynic holds them to the schema when it
//! compiles.
use cynic::{GraphQlResponse, Operation, QueryBuilder};
use serde::{de::DeserializeOwned, Serialize};

#[cynic::schema("tessera")]
mod schema {}

/// Decimal digits: `u64::from_str` reads them.
#[derive(cynic::Scalar, Debug)]
#[cynic(graphql_type = "UInt64")]
struct UInt64(String);

#[derive(cynic::Enum, Clone, Copy, Debug)]
enum VideoChart {
    MostPopular,
}

#[derive(cynic::QueryVariables)]
struct ChartPageVariables {
    first: i32,
    // Left out when it is None: typed clients would send null, which means the same here.
    #[cynic(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
}

#[derive(cynic::QueryFragment)]
#[cynic(graphql_type = "Query", variables = "ChartPageVariables")]
struct ChartPage {
    #[arguments(chart: MOST_POPULAR, first: $first, after: $after)]
    chart_videos: Option<VideoConnection>,
}

#[derive(cynic::QueryFragment)]
struct VideoConnection {
    nodes: Vec<Video>,
    page_info: PageInfo,
}

#[derive(cynic::QueryFragment)]
struct PageInfo {
    end_cursor: Option<String>,
}

#[derive(cynic::QueryFragment)]
struct Video {
    video_id: cynic::Id,
    statistics: Option<VideoStatistics>,
}

#[derive(cynic::QueryFragment)]
struct VideoStatistics {
    view_count: Option<UInt64>,
}

#[derive(cynic::QueryVariables)]
struct GuardedVariables<'a> {
    video_id: &'a cynic::Id,
}

#[derive(cynic::QueryFragment)]
#[cynic(graphql_type = "Query", variables = "GuardedVariables")]
struct Guarded {
    #[arguments(videoId: $video_id)]
    video: Option<Video>,
    #[allow(dead_code)]
    metrics: Option<Metrics>,
}

#[derive(cynic::QueryFragment)]
struct Metrics {
    #[arguments(query: "up")]
    #[allow(dead_code)]
    query: Option<MetricsResult>,
}

#[derive(cynic::QueryFragment)]
struct MetricsResult {
    #[allow(dead_code)]
    result_type: String,
}

/// What the gateway adds to an error. The type is named: cynic's default drops extensions.
#[derive(serde::Deserialize)]
struct Extensions {
    code: String,
}

fn ask<Q: DeserializeOwned, V: Serialize>(
    url: &str,
    operation: &Operation<Q, V>,
) -> Result<GraphQlResponse<Q, Extensions>, ureq::Error> {
    ureq::post(url).send_json(operation)?.body_mut().read_json()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1).ok_or("the address of the graph is missing")?;
    let mut after = None;
    let mut last = None;
    for page in 1..=2 {
        let answer = ask(&url, &ChartPage::build(ChartPageVariables { first: 2, after }))?;
        let videos = answer.data.and_then(|data| data.chart_videos).ok_or("no videos")?;
        for video in videos.nodes {
            let views = video.statistics.and_then(|statistics| statistics.view_count).ok_or("no views")?;
            println!("page {page}: {} {}", video.video_id.inner(), views.0);
            last = Some(video.video_id);
        }
        after = videos.page_info.end_cursor;
    }

    let video_id = last.ok_or("no videos")?;
    let answer = ask(&url, &Guarded::build(GuardedVariables { video_id: &video_id }))?;
    for error in answer.errors.unwrap_or_default() {
        let path: Vec<String> = error.path.unwrap_or_default().iter().map(step).collect();
        println!("refused: {} {}", path.join("."), error.extensions.map(|it| it.code).unwrap_or_default());
    }
    let video = answer.data.and_then(|data| data.video).ok_or("the video was taken along")?;
    println!("kept: {}", video.video_id.inner());
    Ok(())
}

fn step(segment: &cynic::GraphQlErrorPathSegment) -> String {
    match segment {
        cynic::GraphQlErrorPathSegment::Field(name) => name.clone(),
        cynic::GraphQlErrorPathSegment::Index(at) => at.to_string(),
    }
}

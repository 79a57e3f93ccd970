//! Two pages of a connection and a refused field, with types that graphql_client makes of the operations.
use graphql_client::{GraphQLQuery, Response};

/// Decimal digits: `u64::from_str` reads them.
type UInt64 = String;
/// RFC 3339.
type DateTime = String;

#[derive(GraphQLQuery)]
#[graphql(
    schema_path = "../../../schema/api.graphql",
    query_path = "../operations.graphql",
    response_derives = "Debug"
)]
struct ChartPage;

#[derive(GraphQLQuery)]
#[graphql(
    schema_path = "../../../schema/api.graphql",
    query_path = "../operations.graphql",
    response_derives = "Debug"
)]
struct Guarded;

fn ask<Q: GraphQLQuery>(url: &str, variables: Q::Variables) -> Result<Response<Q::ResponseData>, ureq::Error> {
    ureq::post(url).send_json(Q::build_query(variables))?.body_mut().read_json()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1).ok_or("the address of the graph is missing")?;
    let mut after = None;
    let mut last = None;
    for page in 1..=2 {
        let answer = ask::<ChartPage>(&url, chart_page::Variables { first: 2, after })?;
        let videos = answer.data.and_then(|data| data.chart_videos).ok_or("no videos")?;
        for video in videos.nodes {
            let views = video.statistics.and_then(|statistics| statistics.view_count).ok_or("no views")?;
            println!("page {page}: {} {views}", video.video_id);
            last = Some(video.video_id);
        }
        after = videos.page_info.end_cursor;
    }

    let video_id = last.ok_or("no videos")?;
    let answer = ask::<Guarded>(&url, guarded::Variables { video_id })?;
    for error in answer.errors.unwrap_or_default() {
        let path: Vec<String> = error.path.unwrap_or_default().iter().map(ToString::to_string).collect();
        let code = error.extensions.as_ref().and_then(|it| it.get("code")).and_then(|it| it.as_str());
        println!("refused: {} {}", path.join("."), code.unwrap_or_default());
    }
    let video = answer.data.and_then(|data| data.video).ok_or("the video was taken along")?;
    println!("kept: {}", video.video_id);
    Ok(())
}

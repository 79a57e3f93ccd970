//! Makes cynic's schema module of the SDL.
fn main() {
    println!("cargo:rerun-if-changed=../../../schema/api.graphql");
    cynic_codegen::register_schema("tessera")
        .from_sdl_file("../../../schema/api.graphql")
        .expect("the SDL is there")
        .as_default()
        .expect("the SDL is valid");
}

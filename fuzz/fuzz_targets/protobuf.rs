//! Any bytes as any of the server's own kinds: decoding never panics, and what was decoded can be encoded and decoded
//! again. The first two bytes choose the type.

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

use std::sync::OnceLock;

use kindsmith_builtin::protobuf::{Codec, open, seal};
use kindsmith_builtin::types::own_schema;
use kindsmith_json::Arena;
use kindsmith_schema::TypeId;

fn own() -> &'static (Codec, Vec<TypeId>) {
    static OWN: OnceLock<(Codec, Vec<TypeId>)> = OnceLock::new();
    OWN.get_or_init(|| {
        let schema = own_schema();
        let codec = Codec::new(schema);
        let types = schema.types().map(|(id, _)| id);
        let types = types.filter(|id| codec.supports(*id)).collect();
        (codec, types)
    })
}

fuzz_target!(score::Most::each(2_000, 20_000), |data: &[u8]| {
    let Some((choice, message)) = data.split_first_chunk() else {
        return;
    };
    let _ = open(message);
    let (codec, types) = own();
    let ty = types[usize::from(u16::from_le_bytes(*choice)) % types.len()];
    let arena = Arena::new();
    let body = seal("v1", "Kind", message);
    let Ok(read) = codec.decode(&arena, ty, &body) else {
        return;
    };
    let again = codec.encode(ty, read).expect("what was read can be written");
    let read_again = codec
        .decode(&arena, ty, &again)
        .expect("what was written can be read");
    let written_again = codec
        .encode(ty, read_again)
        .expect("what was read can be written");
    assert_eq!(again, written_again, "the form is canonical");
});

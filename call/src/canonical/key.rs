//! The names of members, written while data is walked.

use serde::ser::{self, Impossible, Serialize};

use super::direct::Beyond;
use super::is_escaped;

/// Writes a name that stands as it is, and whose order is that of its bytes.
pub(super) struct Key<'k>(pub(super) &'k mut Vec<u8>);

macro_rules! beyond {
    ($($what:ident: $kind:ty,)*) => {
        $(fn $what(self, _: $kind) -> Result<(), Beyond> {
            Err(Beyond)
        })*
    };
}

impl ser::Serializer for Key<'_> {
    type Ok = ();
    type Error = Beyond;
    type SerializeSeq = Impossible<(), Beyond>;
    type SerializeTuple = Impossible<(), Beyond>;
    type SerializeTupleStruct = Impossible<(), Beyond>;
    type SerializeTupleVariant = Impossible<(), Beyond>;
    type SerializeMap = Impossible<(), Beyond>;
    type SerializeStruct = Impossible<(), Beyond>;
    type SerializeStructVariant = Impossible<(), Beyond>;

    fn serialize_str(self, name: &str) -> Result<(), Beyond> {
        if !name.is_ascii() || is_escaped(name.as_bytes()) {
            return Err(Beyond);
        }
        self.0.push(b'"');
        self.0.extend_from_slice(name.as_bytes());
        self.0.push(b'"');
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Beyond> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Beyond> {
        value.serialize(self)
    }

    beyond! {
        serialize_bool: bool,
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_f32: f32,
        serialize_f64: f64,
        serialize_char: char,
        serialize_bytes: &[u8],
        serialize_unit_struct: &'static str,
    }

    fn serialize_none(self) -> Result<(), Beyond> {
        Err(Beyond)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), Beyond> {
        Err(Beyond)
    }

    fn serialize_unit(self) -> Result<(), Beyond> {
        Err(Beyond)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Beyond> {
        Err(Beyond)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Beyond> {
        Err(Beyond)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Beyond> {
        Err(Beyond)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Beyond> {
        Err(Beyond)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Beyond> {
        Err(Beyond)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Beyond> {
        Err(Beyond)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Beyond> {
        Err(Beyond)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Beyond> {
        Err(Beyond)
    }
}

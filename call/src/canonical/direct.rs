//! Canonical bytes of data, written while it is walked.
//!
//! No tree of values is built on the way: what a call is recorded by is written several times for each, and a tree
//! takes longer to build than to write. What is not plain here (a float, a number with a sign, a key that has to be
//! escaped or is not ASCII) is [`Beyond`], and the caller goes the long way.

use std::fmt::{self, Write as _};

use serde::ser::{self, Serialize};

use super::key::Key;
use super::{LARGEST_WHOLE, is_escaped, text};

/// It is not plain data.
#[derive(Debug)]
pub(super) struct Beyond;

impl fmt::Display for Beyond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not plain data")
    }
}

impl std::error::Error for Beyond {}

impl ser::Error for Beyond {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// Where canonical bytes go.
pub(super) struct Writer<'b> {
    bytes: &'b mut Vec<u8>,
    /// The members of all objects that are not closed yet, those of the innermost last.
    members: Vec<Member>,
}

/// A member of an object: where its name begins and ends, without quotes, and where its value ends.
#[derive(Clone, Copy)]
struct Member {
    name: (usize, usize),
    end: usize,
}

impl<'b> Writer<'b> {
    pub(super) const fn new(bytes: &'b mut Vec<u8>) -> Self {
        Self { bytes, members: Vec::new() }
    }

    fn whole(&mut self, number: u64) -> Result<(), Beyond> {
        if number > LARGEST_WHOLE {
            return Err(Beyond);
        }
        write!(Text(self.bytes), "{number}").map_err(|_| Beyond)
    }

    fn open<'w>(&'w mut self) -> Object<'w, 'b> {
        self.bytes.push(b'{');
        Object { start: self.bytes.len(), first: self.members.len(), writer: self, is_inner: false }
    }

    fn list<'w>(&'w mut self) -> List<'w, 'b> {
        self.bytes.push(b'[');
        List { start: self.bytes.len(), writer: self, is_inner: false }
    }

    /// The one member of an object, as a variant of an enum is written; whoever calls this closes it.
    fn variant(&mut self, name: &str) -> Result<(), Beyond> {
        self.bytes.push(b'{');
        text(name, self.bytes).ok_or(Beyond)?;
        self.bytes.push(b':');
        Ok(())
    }
}

/// Texts as they are written, into bytes.
struct Text<'b>(&'b mut Vec<u8>);

impl fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

/// An object that is being written.
pub(super) struct Object<'w, 'b> {
    writer: &'w mut Writer<'b>,
    start: usize,
    first: usize,
    /// Of a variant, whose own brace is closed with it.
    is_inner: bool,
}

impl Object<'_, '_> {
    fn name(&mut self, name: &(impl Serialize + ?Sized)) -> Result<(), Beyond> {
        if self.writer.bytes.len() > self.start {
            self.writer.bytes.push(b',');
        }
        let from = self.writer.bytes.len() + 1;
        name.serialize(Key(self.writer.bytes))?;
        let name = (from, self.writer.bytes.len() - 1);
        self.writer.bytes.push(b':');
        self.writer.members.push(Member { name, end: 0 });
        Ok(())
    }

    fn value(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Beyond> {
        let place = self.writer.members.len().checked_sub(1).ok_or(Beyond)?;
        value.serialize(&mut *self.writer)?;
        let end = self.writer.bytes.len();
        self.writer.members.get_mut(place).ok_or(Beyond)?.end = end;
        Ok(())
    }

    fn close(self) -> Result<(), Beyond> {
        let Writer { bytes, members } = self.writer;
        let own = members.get_mut(self.first..).ok_or(Beyond)?;
        fn name<'n>(bytes: &'n [u8], member: &Member) -> &'n [u8] {
            bytes.get(member.name.0..member.name.1).unwrap_or_default()
        }
        // Each name is larger than the one before it, so none is there twice.
        let in_order = |own: &[Member]| own.is_sorted_by(|one, next| name(bytes, one) < name(bytes, next));
        if !in_order(own) {
            own.sort_by(|one, other| name(bytes, one).cmp(name(bytes, other)));
            if !in_order(own) {
                return Err(Beyond);
            }
            let mut ordered = Vec::with_capacity(bytes.len() - self.start);
            for (place, member) in own.iter().enumerate() {
                if place > 0 {
                    ordered.push(b',');
                }
                // From the quote in front of the name.
                ordered.extend_from_slice(bytes.get(member.name.0 - 1..member.end).ok_or(Beyond)?);
            }
            bytes.truncate(self.start);
            bytes.extend_from_slice(&ordered);
        }
        members.truncate(self.first);
        bytes.extend_from_slice(if self.is_inner { b"}}" } else { b"}" });
        Ok(())
    }
}

/// A list that is being written.
pub(super) struct List<'w, 'b> {
    writer: &'w mut Writer<'b>,
    start: usize,
    is_inner: bool,
}

impl List<'_, '_> {
    fn item(&mut self, item: &(impl Serialize + ?Sized)) -> Result<(), Beyond> {
        if self.writer.bytes.len() > self.start {
            self.writer.bytes.push(b',');
        }
        item.serialize(&mut *self.writer)
    }

    fn close(self) {
        self.writer.bytes.extend_from_slice(if self.is_inner { b"]}" } else { b"]" });
    }
}

impl<'w, 'b> ser::Serializer for &'w mut Writer<'b> {
    type Ok = ();
    type Error = Beyond;
    type SerializeSeq = List<'w, 'b>;
    type SerializeTuple = List<'w, 'b>;
    type SerializeTupleStruct = List<'w, 'b>;
    type SerializeTupleVariant = List<'w, 'b>;
    type SerializeMap = Object<'w, 'b>;
    type SerializeStruct = Object<'w, 'b>;
    type SerializeStructVariant = Object<'w, 'b>;

    fn serialize_bool(self, value: bool) -> Result<(), Beyond> {
        self.bytes.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Result<(), Beyond> {
        self.serialize_i64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<(), Beyond> {
        self.serialize_i64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Result<(), Beyond> {
        self.serialize_i64(value.into())
    }

    fn serialize_i64(self, value: i64) -> Result<(), Beyond> {
        self.whole(u64::try_from(value).map_err(|_| Beyond)?)
    }

    fn serialize_u8(self, value: u8) -> Result<(), Beyond> {
        self.whole(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<(), Beyond> {
        self.whole(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<(), Beyond> {
        self.whole(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Beyond> {
        self.whole(value)
    }

    fn serialize_f32(self, _: f32) -> Result<(), Beyond> {
        Err(Beyond)
    }

    fn serialize_f64(self, _: f64) -> Result<(), Beyond> {
        Err(Beyond)
    }

    fn serialize_char(self, value: char) -> Result<(), Beyond> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Beyond> {
        text(value, self.bytes).ok_or(Beyond)
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Beyond> {
        Err(Beyond)
    }

    fn serialize_none(self) -> Result<(), Beyond> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Beyond> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Beyond> {
        self.bytes.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Beyond> {
        self.serialize_unit()
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

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Beyond> {
        self.variant(variant)?;
        value.serialize(&mut *self)?;
        self.bytes.push(b'}');
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List<'w, 'b>, Beyond> {
        Ok(self.list())
    }

    fn serialize_tuple(self, _: usize) -> Result<List<'w, 'b>, Beyond> {
        Ok(self.list())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List<'w, 'b>, Beyond> {
        Ok(self.list())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<List<'w, 'b>, Beyond> {
        self.variant(variant)?;
        Ok(List { is_inner: true, ..self.list() })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Object<'w, 'b>, Beyond> {
        Ok(self.open())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Object<'w, 'b>, Beyond> {
        Ok(self.open())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Object<'w, 'b>, Beyond> {
        self.variant(variant)?;
        Ok(Object { is_inner: true, ..self.open() })
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<(), Beyond> {
        self.bytes.push(b'"');
        let from = self.bytes.len();
        write!(Text(self.bytes), "{value}").map_err(|_| Beyond)?;
        if self.bytes.get(from..).is_some_and(is_escaped) {
            return Err(Beyond);
        }
        self.bytes.push(b'"');
        Ok(())
    }
}

macro_rules! lists {
    ($($kind:ident, $push:ident;)*) => {
        $(impl ser::$kind for List<'_, '_> {
            type Ok = ();
            type Error = Beyond;

            fn $push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Beyond> {
                self.item(value)
            }

            fn end(self) -> Result<(), Beyond> {
                self.close();
                Ok(())
            }
        })*
    };
}

lists! {
    SerializeSeq, serialize_element;
    SerializeTuple, serialize_element;
    SerializeTupleStruct, serialize_field;
    SerializeTupleVariant, serialize_field;
}

macro_rules! objects {
    ($($kind:ident,)*) => {
        $(impl ser::$kind for Object<'_, '_> {
            type Ok = ();
            type Error = Beyond;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Beyond> {
                self.name(name)?;
                self.value(value)
            }

            fn end(self) -> Result<(), Beyond> {
                self.close()
            }
        })*
    };
}

objects! { SerializeStruct, SerializeStructVariant, }

impl ser::SerializeMap for Object<'_, '_> {
    type Ok = ();
    type Error = Beyond;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<(), Beyond> {
        self.name(name)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Beyond> {
        self.value(value)
    }

    fn end(self) -> Result<(), Beyond> {
        self.close()
    }
}

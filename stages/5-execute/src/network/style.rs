//! Whether a person would see an element, as far as the element itself says.

/// Does this inline style hide what it is on?
pub(super) fn hides(style: &str) -> bool {
    let style = style.to_ascii_lowercase();
    let declarations: Vec<(&str, String)> = style
        .split(';')
        .filter_map(|declaration| {
            let (name, value) = declaration.split_once(':')?;
            let value = value.replace("!important", "");
            Some((name.trim(), value.split_whitespace().collect::<Vec<_>>().join(" ")))
        })
        .collect();
    let value = |wanted: &str| {
        declarations.iter().rev().find(|(name, _)| *name == wanted).map_or("", |(_, value)| value.as_str())
    };
    let color = value("color");
    let background =
        [value("background-color"), value("background")].into_iter().find(|text| !text.is_empty());
    let clipped = value("overflow").starts_with("hidden") || value("overflow") == "clip";
    value("display") == "none"
        || matches!(value("visibility"), "hidden" | "collapse")
        || is_nothing(value("opacity"))
        || is_nothing(value("font-size"))
        || color == "transparent"
        || is_see_through(color)
        || (!color.is_empty() && background.is_some_and(|background| same_color(color, background)))
        || (clipped && [value("width"), value("height"), value("max-height")].into_iter().any(is_tiny))
        || ["left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top"]
            .into_iter()
            .any(|name| is_far_away(value(name)))
        || value("clip").replace([' ', ','], "").starts_with("rect(000")
        || value("clip").replace([' ', ','], "").starts_with("rect(0px0px0px")
        || value("clip").replace([' ', ','], "").starts_with("rect(1px1px1px")
        || value("clip-path").starts_with("inset(50%")
        || value("clip-path").starts_with("inset(100%")
        || value("transform").replace(' ', "").contains("scale(0)")
        || value("content-visibility") == "hidden"
}

/// The number in front of a unit.
fn number(text: &str) -> Option<f64> {
    let end =
        text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))).unwrap_or(text.len());
    text.get(..end)?.parse().ok()
}

fn is_nothing(text: &str) -> bool {
    number(text).is_some_and(|number| (0.0..0.05).contains(&number))
}

fn is_tiny(text: &str) -> bool {
    number(text).is_some_and(|number| (0.0..=1.0).contains(&number))
        && !text.ends_with("em")
        && !text.ends_with('%')
        || is_nothing(text)
}

/// Moved to where no screen is.
fn is_far_away(text: &str) -> bool {
    number(text).is_some_and(|number| number <= -500.0 || (number <= -100.0 && !text.ends_with("px")))
}

/// A colour whose last part says that nothing of it is there.
fn is_see_through(color: &str) -> bool {
    let inside = color
        .strip_prefix("rgba(")
        .or_else(|| color.strip_prefix("hsla("))
        .and_then(|rest| rest.strip_suffix(')'));
    inside.and_then(|inside| inside.rsplit([',', '/']).next()).is_some_and(|last| is_nothing(last.trim()))
}

fn same_color(one: &str, other: &str) -> bool {
    let plain = |color: &str| match color.trim() {
        "white" | "#fff" | "#ffffff" | "rgb(255, 255, 255)" | "rgb(255,255,255)" => "white".to_owned(),
        "black" | "#000" | "#000000" | "rgb(0, 0, 0)" | "rgb(0,0,0)" => "black".to_owned(),
        color => color.to_owned(),
    };
    plain(one) == plain(other)
}

#[cfg(test)]
mod tests {
    use super::hides;

    #[test]
    fn hidden_is_what_nobody_sees() {
        for style in [
            "display:none",
            "DISPLAY : None !important",
            "color:red; visibility: hidden",
            "opacity:0",
            "opacity: 0.01",
            "font-size:0px",
            "font-size: 0",
            "position:absolute;left:-9999px",
            "text-indent:-9999em",
            "color:#fff;background:#ffffff",
            "color:white;background-color:white",
            "color:rgba(0,0,0,0)",
            "color:transparent",
            "height:1px;width:1px;overflow:hidden",
            "clip: rect(0, 0, 0, 0)",
            "clip-path:inset(50%)",
            "transform: scale(0)",
        ] {
            assert!(hides(style), "{style}");
        }
    }

    #[test]
    fn ordinary_styles_hide_nothing() {
        for style in [
            "",
            "display:block",
            "opacity:0.8",
            "font-size:0.9em",
            "margin-left:-10px",
            "text-indent:-2em",
            "color:#fff;background:#000",
            "color:white",
            "overflow:hidden;width:100%",
            "overflow:hidden;max-height:1em",
            "left:50%",
            "color:rgba(0,0,0,0.5)",
            "visibility:visible",
            "nonsense",
            ";;:;:",
        ] {
            assert!(!hides(style), "{style}");
        }
    }
}

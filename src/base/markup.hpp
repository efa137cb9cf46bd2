#pragma once
// Text of unknown origin, made fit for HTML and XML: the only functions that escape for either.
//
// Source: XML 1.0, section 2.2 (characters) and 3.3.3 (attributes); HTML, section 13.2.

#include <string>
#include <string_view>

namespace sigstab {

// Valid UTF-8 of characters that XML and HTML can hold: anything else, a control character but tab
// and line end among it, becomes U+FFFD.
std::string readable(std::string_view text);

// Readable, with & < > " ' as references: for the content of elements, where "]]>" is then no end,
// and for quoted attributes.
std::string escaped_markup(std::string_view text);

// Likewise, with tabs and line ends as references, which an attribute of XML would lose.
std::string escaped_attribute(std::string_view text);

}  // namespace sigstab

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON for the conformance program alone: Java has no reader of its own. A receiver takes a library. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** The value: a map, a list, a text, a number, a flag or null. */
    static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.blanks();
        if (json.at != text.length()) {
            throw new IllegalArgumentException("more than one value");
        }
        return value;
    }

    private Object value() {
        blanks();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", Boolean.TRUE);
            case 'f' -> word("false", Boolean.FALSE);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        blanks();
        if (take('}')) {
            return members;
        }
        do {
            blanks();
            String name = string();
            blanks();
            expect(':');
            members.put(name, value());
            blanks();
        } while (take(','));
        expect('}');
        return members;
    }

    private List<Object> list() {
        List<Object> items = new ArrayList<>();
        at++;
        blanks();
        if (take(']')) {
            return items;
        }
        do {
            items.add(value());
            blanks();
        } while (take(','));
        expect(']');
        return items;
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (peek() != '"') {
            char next = text.charAt(at++);
            if (next < ' ') {
                throw new IllegalArgumentException("a control character");
            }
            out.append(next == '\\' ? escaped() : next);
        }
        at++;
        return out.toString();
    }

    private char escaped() {
        char sign = peek();
        at++;
        return switch (sign) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> (char) Integer.parseInt(text.substring(at, at += 4), 16);
            case '"', '\\', '/' -> sign;
            default -> throw new IllegalArgumentException("an unknown escape");
        };
    }

    private Object number() {
        int from = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return Double.valueOf(text.substring(from, at));
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw new IllegalArgumentException("an unknown word");
        }
        at += word.length();
        return value;
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw new IllegalArgumentException("the text ends early");
        }
        return text.charAt(at);
    }

    private boolean take(char sign) {
        boolean isNext = at < text.length() && text.charAt(at) == sign;
        at += isNext ? 1 : 0;
        return isNext;
    }

    private void expect(char sign) {
        if (!take(sign)) {
            throw new IllegalArgumentException("missing " + sign);
        }
    }
}

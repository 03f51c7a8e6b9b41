// Verifies a webhook of Till. Needs .NET 8 or later and no package.
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

public static class Verify
{
    /// <summary>How many seconds webhook-timestamp may be away from now.</summary>
    private const long Tolerance = 300;

    private static readonly string[] Signed =
    {
        "amount", "currency_code", "customer_address_city", "customer_address_country", "customer_address_line1",
        "customer_address_line2", "customer_address_postal_code", "customer_address_state", "customer_email",
        "customer_first_name", "customer_last_name", "customer_phone", "gateway_account", "gateway_name", "order_no",
        "reference_number", "result", "state",
    };

    /// <summary>
    /// Whether the headers prove that the bytes come from Till, and were signed within five minutes of now (seconds since
    /// 1970). The names of headers are in lower case, the body is the bytes as they came, and each secret is whsec_…;
    /// there are two while a secret is exchanged.
    /// </summary>
    public static bool Headers(IReadOnlyDictionary<string, string> headers, byte[] body, IEnumerable<string> secrets, long now)
    {
        var id = headers.GetValueOrDefault("webhook-id", "");
        var time = headers.GetValueOrDefault("webhook-timestamp", "");
        var signatures = headers.GetValueOrDefault("webhook-signature", "");
        if (id == "" || signatures == "" || time.Length is 0 or > 15 || !time.All(char.IsAsciiDigit)) return false;
        if (Math.Abs(now - long.Parse(time)) > Tolerance) return false;
        var signed = Encoding.UTF8.GetBytes($"{id}.{time}.").Concat(body).ToArray();
        var isRight = false;
        foreach (var secret in secrets)
        {
            var key = Convert.FromBase64String(secret["whsec_".Length..]);
            var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(HMACSHA256.HashData(key, signed)));
            foreach (var given in signatures.Split(' '))
            {
                isRight |= CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given), expected);
            }
        }
        return isRight;
    }

    /// <summary>
    /// Whether the field signature of a body is right. It covers 18 fields, neither the other fields nor the time.
    /// </summary>
    public static bool Field(byte[] body, string hmacKey)
    {
        try
        {
            using var document = JsonDocument.Parse(body);
            var fields = document.RootElement;
            if (fields.ValueKind != JsonValueKind.Object) return false;
            if (!fields.TryGetProperty("signature", out var signature) || signature.ValueKind != JsonValueKind.String) return false;
            var text = new StringBuilder();
            foreach (var name in Signed)
            {
                if (!fields.TryGetProperty(name, out var value) || value.ValueKind == JsonValueKind.Null) continue;
                if (value.ValueKind != JsonValueKind.String) return false;
                if (value.GetString() != "") text.Append(name).Append(value.GetString());
            }
            var right = HMACSHA256.HashData(Encoding.UTF8.GetBytes(hmacKey), Encoding.UTF8.GetBytes(text.ToString()));
            return CryptographicOperations.FixedTimeEquals(
                Encoding.UTF8.GetBytes(signature.GetString()!), Encoding.UTF8.GetBytes(Convert.ToHexString(right).ToLowerInvariant()));
        }
        catch (Exception refused) when (refused is JsonException or InvalidOperationException)
        {
            return false;
        }
    }
}

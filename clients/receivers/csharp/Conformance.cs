// Reads lines of cases and prints for each whether this program accepts the webhook: see ../README.md.
using System.Text.Json;

while (Console.ReadLine() is { } line)
{
    if (line == "") continue;
    using var document = JsonDocument.Parse(line);
    var test = document.RootElement;
    var body = Convert.FromBase64String(test.GetProperty("body").GetString()!);
    bool isRight;
    if (test.GetProperty("kind").GetString() == "headers")
    {
        var headers = test.GetProperty("headers").EnumerateObject().ToDictionary(one => one.Name, one => one.Value.GetString()!);
        var secrets = test.GetProperty("secrets").EnumerateArray().Select(one => one.GetString()!).ToArray();
        isRight = Verify.Headers(headers, body, secrets, test.GetProperty("now").GetInt64());
    }
    else
    {
        isRight = Verify.Field(body, test.GetProperty("hmac_key").GetString()!);
    }
    Console.WriteLine(isRight ? "ok" : "refused");
}

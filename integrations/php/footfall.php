<?php
/**
 * Sends pageviews and events of a PHP site to Footfall (PHP 8.0 or later; no packages). Copy this file into your project:
 *
 *     require 'footfall.php';
 *     $footfall = new Footfall('https://footfall.example.com', 'pa_…', getenv('FOOTFALL_TOKEN'));
 *     $footfall->countPage();
 *     $footfall->track('Signup', ['props' => ['plan' => 'pro']]);
 *
 * Hits wait until the end of the request. Then they are sent, where the server allows it (FPM, LiteSpeed) after the answer. A program
 * that runs for long calls `flush()`. No call throws, except for a constructor that lacks an argument.
 *
 * A hit may have url, referrer, ip, userAgent, language, title, props, revenue (amount, currency), interactive, user, traits, consent and
 * timestamp: a DateTimeInterface, an ISO 8601 text, or seconds as `time()` returns them.
 *
 * SPDX-License-Identifier: MIT
 */
declare(strict_types=1);

final class Footfall
{
    private FootfallDelivery $delivery;
    /** @var array<string, mixed> */
    private array $server;
    /** @var ?callable(string): bool */
    private $include;

    /**
     * @param string $token A token with `sites.manage`. Keep it out of pages.
     * @param ?string $addressHeader Header in which your proxy names the visitor’s address, for example `x-forwarded-for`, of which the last
     *     one counts. Without it, the address of the connection counts.
     * @param ?callable(string): bool $include Returns whether `countPage()` counts a path.
     * @param ?callable(string): void $onError Receives what was lost. Default: the error log, each text once.
     * @param float $maxSeconds How long the end of a request, and `flush()`, may take.
     * @param bool $exit False: nothing is sent by itself; call `flush()`.
     */
    public function __construct(
        string $url,
        string $site,
        string $token,
        private ?string $addressHeader = null,
        ?callable $include = null,
        ?callable $onError = null,
        bool $exit = true,
        float $maxSeconds = 5.0,
    ) {
        foreach (['url' => $url, 'site' => $site, 'token' => $token] as $name => $value) {
            if ($value === '') {
                throw new InvalidArgumentException("Footfall needs $name");
            }
        }
        $this->server = $_SERVER;
        $this->include = $include;
        $this->delivery = new FootfallDelivery(rtrim($url, '/') . '/sites/' . rawurlencode($site) . '/hits.json', $token, $onError, $maxSeconds);
        if ($exit) {
            register_shutdown_function([$this->delivery, 'end']);
        }
    }

    /** An event of the visitor of this request. @param array<string, mixed> $hit */
    public function track(string $name, array $hit = []): void
    {
        $this->delivery->attempt(fn() => $this->delivery->add($this->bodyOf($name, $hit + $this->visitor())));
    }

    /** @param array<string, mixed> $hit */
    public function pageview(array $hit = []): void
    {
        $this->track('pageview', $hit);
    }

    /** At the end of the request, counts its page if a browser asked for it and it was answered with HTML. */
    public function countPage(): void
    {
        $this->delivery->atEnd[] = function (): void {
            if ($this->isPageRequest() && self::isShown()) {
                $this->pageview();
            }
        };
    }

    /** The same for another request, where a process serves many. @param array<string, mixed> $server as in `$_SERVER` */
    public function of(array $server): self
    {
        $other = clone $this;
        $other->server = $server;
        return $other;
    }

    /** Sends what waits, for at most `maxSeconds`. */
    public function flush(): void
    {
        $this->delivery->attempt(fn() => $this->delivery->flush());
    }

    private function header(string $name): ?string
    {
        $value = $this->server['HTTP_' . strtr(strtoupper($name), '-', '_')] ?? null;
        return is_string($value) ? $value : null;
    }

    private function url(): ?string
    {
        $asked = $this->server['REQUEST_URI'] ?? null;
        if (!is_string($asked) || preg_match('~^https?://~i', $asked)) {
            return is_string($asked) ? $asked : null;
        }
        $isSecure = !in_array(strtolower((string) ($this->server['HTTPS'] ?? '')), ['', 'off', '0'], true);
        return ($isSecure ? 'https' : 'http') . '://' . ($this->header('host') ?? $this->server['SERVER_NAME'] ?? 'localhost') . $asked;
    }

    /** @return array<string, mixed> */
    private function visitor(): array
    {
        $named = $this->addressHeader === null ? '' : trim((string) array_slice(explode(',', $this->header($this->addressHeader) ?? ''), -1)[0]);
        $language = $this->header('accept-language');
        return [
            'url' => $this->url(),
            'referrer' => $this->header('referer'),
            'ip' => self::addressOf($named !== '' ? $named : $this->server['REMOTE_ADDR'] ?? null),
            'userAgent' => $this->header('user-agent'),
            'language' => $language === null ? null : preg_split('/[,;]/', $language, 2)[0],
        ];
    }

    /** IPv4 in its own spelling (`::ffff:192.0.2.1`), without a port or a zone. */
    private static function addressOf(mixed $sent): ?string
    {
        if (!is_string($sent)) {
            return null;
        }
        $patterns = ['/^\[(.*)\](:\d+)?$/', '/^(\d+\.\d+\.\d+\.\d+):\d+$/', '/^::ffff:(?=\d+\.)/i', '/%.*$/'];
        return preg_replace($patterns, ['$1', '$1', '', ''], $sent);
    }

    /** @param array<string, mixed> $hit @return array<string, mixed> */
    private function bodyOf(string $name, array $hit): array
    {
        $at = $hit['timestamp'] ?? microtime(true);
        if ($at instanceof DateTimeInterface) {
            $at = (float) $at->format('U.u');
        }
        $body = ['name' => $name, 'timestamp' => is_string($at) ? $at : (int) round($at * 1000)];
        $names = ['u' => 'url', 'r' => 'referrer', 'ip' => 'ip', 'user_agent' => 'userAgent', 'l' => 'language', 't' => 'title'];
        $same = ['revenue', 'interactive', 'user', 'consent'];
        foreach ($names + array_combine($same, $same) as $ours => $given) {
            $body[$ours] = $hit[$given] ?? null;
        }
        foreach (['props', 'traits'] as $map) {
            $body[$map] = isset($hit[$map]) ? (object) $hit[$map] : null;
        }
        return array_filter($body, fn($value) => $value !== null);
    }

    private function isPageRequest(): bool
    {
        if (($this->server['REQUEST_METHOD'] ?? '') !== 'GET') {
            return false;
        }
        $purpose = $this->header('sec-purpose') ?? $this->header('purpose') ?? $this->header('x-purpose') ?? $this->header('x-moz') ?? '';
        $path = parse_url($this->url() ?? '', PHP_URL_PATH);
        if (preg_match('/prefetch|prerender/', $purpose) || ($this->include !== null && !($this->include)(is_string($path) ? $path : '/'))) {
            return false;
        }
        $destination = $this->header('sec-fetch-dest');
        return $destination === null ? str_contains($this->header('accept') ?? '', 'text/html') : $destination === 'document';
    }

    private static function isShown(): bool
    {
        $status = http_response_code();
        $type = null;
        foreach (headers_list() as $line) {
            $type = preg_match('/^content-type:\s*(.*)$/i', $line, $found) ? $found[1] : $type;
        }
        $type ??= $status === 304 ? 'text/html' : (string) ini_get('default_mimetype');
        $isGood = is_int($status) && ($status === 304 || ($status >= 200 && $status < 300));
        return $isGood && preg_match('~^(text/html|application/xhtml\+xml)\b~i', $type) === 1;
    }
}

/** @internal Sends batches of hits, each under a key with which it counts once. */
final class FootfallDelivery
{
    /** Hits of a batch, and the bytes of their JSON. The service takes 500 hits and 1 MiB. */
    private const BATCH_HITS = 100;
    private const BATCH_BYTES = 250_000;
    private const MAX_HIT_BYTES = 50_000;
    private const MAX_WAITING = 10_000;
    private const MAX_ATTEMPTS = 3;
    private const MAX_PAUSE_SECONDS = 0.5;

    /** @var list<callable(): void> */
    public array $atEnd = [];
    /** @var list<string> */
    private array $waiting = [];
    /** @var array<string, true> */
    private array $said = [];
    /** @var ?callable(string): void */
    private $onError;

    public function __construct(private string $address, private string $token, ?callable $onError, private float $maxSeconds)
    {
        $this->onError = $onError;
    }

    /** Runs a step of ours, whose fault is no fault of the request. */
    public function attempt(callable $step): void
    {
        try {
            $step();
        } catch (Throwable $error) {
            $this->report('Footfall: ' . $error->getMessage());
        }
    }

    /** @param array<string, mixed> $hit */
    public function add(array $hit): void
    {
        $flags = JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES;
        $text = json_encode($hit, $flags);
        if (strlen($text) > self::MAX_HIT_BYTES) {
            $this->fail('a hit is too large', 1);
        } elseif (count($this->waiting) >= self::MAX_WAITING) {
            $this->fail('too many hits wait', 1);
        } else {
            $this->waiting[] = $text;
        }
    }

    /** Of the request: the visitor has the answer before hits are sent, where the server allows it. */
    public function end(): void
    {
        foreach ($this->atEnd as $step) {
            $this->attempt($step);
        }
        $this->atEnd = [];
        if ($this->waiting === []) {
            return;
        }
        $this->attempt(function (): void {
            foreach (['fastcgi_finish_request', 'litespeed_finish_request'] as $finish) {
                if (function_exists($finish)) {
                    session_status() === PHP_SESSION_ACTIVE && session_write_close();
                    $finish();
                }
            }
            $this->flush();
        });
    }

    public function flush(): void
    {
        $until = microtime(true) + $this->maxSeconds;
        while ($this->waiting !== []) {
            $this->deliver($this->take(), $until);
        }
    }

    /** @return list<string> */
    private function take(): array
    {
        for ($hits = 0, $bytes = 0; $hits < min(self::BATCH_HITS, count($this->waiting)); $hits++) {
            $bytes += strlen($this->waiting[$hits]) + 1;
            if ($bytes > self::BATCH_BYTES && $hits > 0) {
                break;
            }
        }
        return array_splice($this->waiting, 0, $hits);
    }

    /** Sends a batch until it has arrived, was refused, or the time is over. @param list<string> $hits */
    private function deliver(array $hits, float $until): void
    {
        $body = '{"hits":[' . implode(',', $hits) . ']}';
        $headers = ["Authorization: Bearer $this->token", 'Content-Type: application/json', 'Idempotency-Key: ' . bin2hex(random_bytes(16))];
        $why = 'no time is left';
        for ($attempt = 1; $attempt <= self::MAX_ATTEMPTS && microtime(true) < $until; $attempt++) {
            if ($attempt > 1) {
                $pause = min(self::MAX_PAUSE_SECONDS * mt_rand() / mt_getrandmax(), $until - microtime(true));
                usleep((int) max(0, $pause * 1e6));
            }
            [$status, $text] = $this->post($body, $headers, max(0.1, $until - microtime(true)));
            if ($status >= 200 && $status < 300) {
                return;
            }
            $why = $status === 0 ? "cannot be reached, $text" : "answered $status " . substr($text, 0, 300);
            // 409: an earlier request with this key has not been answered yet.
            $isInProgress = $status === 409 && str_contains($text, 'idempotency_in_progress');
            if ($status !== 0 && $status < 500 && !in_array($status, [408, 425, 429], true) && !$isInProgress) {
                break;
            }
        }
        $this->fail($why, count($hits));
    }

    /** Follows no redirect: the token is for this address only. @param list<string> $headers @return array{int, string} 0 without an answer */
    private function post(string $body, array $headers, float $seconds): array
    {
        if (!function_exists('curl_init')) {
            return $this->postWithoutCurl($body, $headers, $seconds);
        }
        $request = curl_init($this->address);
        curl_setopt_array($request, [
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_HTTPHEADER => [...$headers, 'Expect:'],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => (int) ($seconds * 1000),
            CURLOPT_NOSIGNAL => true,
        ]);
        $text = curl_exec($request);
        return is_string($text) ? [(int) curl_getinfo($request, CURLINFO_RESPONSE_CODE), $text] : [0, curl_error($request)];
    }

    /** @param list<string> $headers @return array{int, string} */
    private function postWithoutCurl(string $body, array $headers, float $seconds): array
    {
        $said = '';
        set_error_handler(function (int $_, string $message) use (&$said): bool {
            $said = $message;
            return true;
        });
        try {
            $options = ['method' => 'POST', 'header' => $headers, 'content' => $body, 'timeout' => $seconds];
            $options += ['follow_location' => 0, 'ignore_errors' => true, 'protocol_version' => 1.1];
            $options['header'][] = 'Connection: close';
            $stream = fopen($this->address, 'rb', false, stream_context_create(['http' => $options]));
            if ($stream === false) {
                return [0, $said];
            }
            $head = stream_get_meta_data($stream)['wrapper_data'][0] ?? '';
            $text = (string) stream_get_contents($stream, 10_000);
            fclose($stream);
            return preg_match('~^HTTP/\S+ (\d{3})~', $head, $found) ? [(int) $found[1], $text] : [0, 'no HTTP'];
        } finally {
            restore_error_handler();
        }
    }

    private function fail(string $what, int $hits): void
    {
        $this->report("Footfall: $what; hits that are lost: $hits");
    }

    private function report(string $message): void
    {
        try {
            if ($this->onError !== null) {
                ($this->onError)($message);
            } elseif (!isset($this->said[$message]) && count($this->said) < 100) {
                $this->said[$message] = true;
                error_log($message);
            }
        } catch (Throwable) {
            // An error of the host’s own function does not reach its request either.
        }
    }
}

"""Sends pageviews and events of a Python site to Footfall (Python 3.8 or later; no packages). Copy this file into your project:

    from footfall import Footfall
    footfall = Footfall('https://footfall.example.com', 'pa_…', os.environ['FOOTFALL_TOKEN'])
    app.wsgi_app = footfall.wsgi(app.wsgi_app)      # Flask; counts pages
    application = footfall.wsgi(application)         # Django
    app.add_middleware(footfall.asgi)                # FastAPI, Starlette
    footfall.of(request.environ).track('Signup', props={'plan': 'pro'})

A thread sends hits in batches. No call throws or waits, except for a constructor that lacks an argument.

A hit may have url, referrer, ip, user_agent, language, title, props, revenue (amount, currency), interactive, user, traits, consent and
timestamp: a datetime, an ISO 8601 text, or seconds as `time.time()` returns them.

SPDX-License-Identifier: MIT
"""
import atexit
import json
import logging
import os
import random
import re
import threading
import time
import urllib.error
import urllib.request
import uuid
import weakref
from collections import deque
from datetime import datetime
from email.utils import parsedate_to_datetime
from urllib.parse import quote, urlsplit
from wsgiref.util import request_uri

__all__ = ['Footfall']

# Hits of a batch, and the characters of their JSON. The service takes 500 hits and 1 MiB.
BATCH_HITS = 100
BATCH_LENGTH = 250_000
MAX_HIT = 50_000
MAX_WAITING = 10_000
LINGER = 1.0
TIMEOUT = 10.0
FIRST_RETRY = 0.5
MAX_RETRY = 60.0
MAX_RETRY_AFTER = 300.0
MAX_AGE = 3600.0  # a batch is given up after this time
END_ATTEMPTS = 3
END_SECONDS = 5.0

_log = logging.getLogger('footfall')


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The token is for one address only."""

    def redirect_request(self, *_):
        return None


class _Calls:
    """Calls of one visitor."""

    def __init__(self, delivery, visitor):
        self._delivery = delivery
        self._visitor = visitor

    def track(self, name, **hit):
        """An event."""
        self._delivery.attempt(lambda: self._delivery.add(_body_of(name, {**self._visitor, **hit})))

    def pageview(self, **hit):
        self.track('pageview', **hit)


class Footfall(_Calls):
    """The client of a site.

    token: with `sites.manage`; keep it out of pages.
    address_header: header in which your proxy names the visitor's address, for example `x-forwarded-for`, of which the last one counts.
        Without it, the address of the connection counts.
    include: returns whether the middleware counts a path.
    on_error: receives what was lost. Default: the logger `footfall`, each text once.
    exit: False: nothing is sent by itself when the process ends; call `close()`.
    """

    def __init__(self, url, site, token, *, address_header=None, include=None, on_error=None, exit=True):
        for name, value in {'url': url, 'site': site, 'token': token}.items():
            if not isinstance(value, str) or value == '':
                raise TypeError(f'Footfall() needs {name}')
        super().__init__(_Delivery(f'{url.rstrip("/")}/sites/{quote(site, safe="")}/hits.json', token, on_error), {})
        self._address_header = address_header
        self._include = include or (lambda path: True)
        if exit:
            atexit.register(self._delivery.close)

    def of(self, request):
        """Calls for the visitor of a request: a WSGI environ (in Django, `request.META`) or an ASGI scope."""
        try:
            return _Calls(self._delivery, self._request(request).visitor(self._address_header))
        except Exception as error:
            self._delivery.report(error)
            return _Calls(self._delivery, {})

    def flush(self):
        """Returns once what waits has arrived or was given up."""
        self._delivery.attempt(self._delivery.flush)

    def close(self):
        """Sends what waits, for at most 5 seconds. Later hits are dropped."""
        self._delivery.close()

    def wsgi(self, app):
        """Counts pages of a WSGI application. `environ['footfall']` has the calls of the visitor."""

        def counted(environ, start_response):
            calls = environ['footfall'] = self.of(environ)

            def start(status, headers, *error):
                self._count(calls, environ, int(status[:3]), headers)
                return start_response(status, headers, *error)

            return app(environ, start)

        return counted

    def asgi(self, app):
        """Counts pages of an ASGI application. `scope['footfall']` has the calls of the visitor."""

        async def counted(scope, receive, send):
            if scope['type'] != 'http':
                return await app(scope, receive, send)
            calls = scope['footfall'] = self.of(scope)

            async def sent(message):
                if message['type'] == 'http.response.start':
                    headers = [(name.decode('latin-1'), value.decode('latin-1')) for name, value in message.get('headers', ())]
                    self._count(calls, scope, message['status'], headers)
                await send(message)

            return await app(scope, receive, sent)

        return counted

    @staticmethod
    def _request(request):
        return _Scope(request) if isinstance(request.get('headers'), (list, tuple)) else _Environ(request)

    def _count(self, calls, source, status, headers):
        def count():
            request = self._request(source)
            kind = next((value for name, value in headers if name.lower() == 'content-type'), None)
            if _is_shown(status, kind) and _is_page(request) and self._include(urlsplit(request.url()).path or '/'):
                calls.pageview()

        self._delivery.attempt(count)


class _Incoming:
    def visitor(self, address_header):
        named = (self.header(address_header) or '').split(',')[-1].strip() if address_header else ''
        language = self.header('accept-language')
        return {
            'url': self.url(),
            'referrer': self.header('referer'),
            'ip': _address_of(named or self.address()),
            'user_agent': self.header('user-agent'),
            'language': re.split('[,;]', language, maxsplit=1)[0] if language else None,
        }


class _Environ(_Incoming):
    """A request of WSGI."""

    def __init__(self, environ):
        self._environ = environ
        self.method = environ.get('REQUEST_METHOD')

    def header(self, name):
        return self._environ.get('HTTP_' + name.upper().replace('-', '_'))

    def url(self):
        return request_uri(self._environ)

    def address(self):
        return self._environ.get('REMOTE_ADDR')


class _Scope(_Incoming):
    """A request of ASGI."""

    def __init__(self, scope):
        self._scope = scope
        self.method = scope.get('method')
        self._headers = {}
        for name, value in scope['headers']:
            key, text = name.decode('latin-1').lower(), value.decode('latin-1')
            self._headers[key] = f'{self._headers[key]},{text}' if key in self._headers else text

    def header(self, name):
        return self._headers.get(name.lower())

    def url(self):
        scope = self._scope
        raw = scope.get('raw_path')
        path = raw.decode('latin-1').split('?')[0] if raw else quote(scope['path'])
        query = scope.get('query_string', b'').decode('latin-1')
        return f"{scope.get('scheme', 'http')}://{self.header('host') or 'localhost'}{path}{'?' + query if query else ''}"

    def address(self):
        return (self._scope.get('client') or [None])[0]


def _address_of(sent):
    """IPv4 in its own spelling (`::ffff:192.0.2.1`), without a port or a zone."""
    if not sent:
        return None
    bare = re.sub(r'^\[(.*)\](:\d+)?$', r'\1', sent)
    bare = re.sub(r'^(\d+\.\d+\.\d+\.\d+):\d+$', r'\1', bare)
    return re.sub('%.*$', '', re.sub(r'^::ffff:(?=\d+\.)', '', bare, flags=re.I))


def _is_page(request):
    """Whether a browser asked for a page that it shows now, and not in advance."""
    if request.method != 'GET':
        return False
    purposes = (request.header(name) for name in ('sec-purpose', 'purpose', 'x-purpose', 'x-moz'))
    if re.search('prefetch|prerender', next((purpose for purpose in purposes if purpose), '')):
        return False
    destination = request.header('sec-fetch-dest')
    return 'text/html' in (request.header('accept') or '') if destination is None else destination == 'document'


def _is_shown(status, kind):
    """304: the browser has the page already. Redirects lead to a request of their own."""
    if status != 304 and not 200 <= status < 300:
        return False
    return status == 304 if not kind else bool(re.match(r'(text/html|application/xhtml\+xml)\b', kind, re.I))


def _body_of(name, hit):
    at = hit.get('timestamp')
    at = time.time() if at is None else at.timestamp() if isinstance(at, datetime) else at
    body = {'name': name, 'timestamp': at if isinstance(at, str) else round(at * 1000)}
    for ours, given in {'u': 'url', 'r': 'referrer', 'l': 'language', 't': 'title'}.items():
        body[ours] = hit.get(given)
    for same in ('ip', 'user_agent', 'props', 'revenue', 'interactive', 'user', 'traits', 'consent'):
        body[same] = hit.get(same)
    return {key: value for key, value in body.items() if value is not None}


class _Delivery:
    """Sends batches of hits: one after another, again after a failure, each under a key with which it counts once."""

    def __init__(self, address, token, on_error):
        self._address = address
        self._token = token
        self._on_error = on_error
        self._said = set()
        self._open = urllib.request.build_opener(_NoRedirect).open
        self._reset()
        if hasattr(os, 'register_at_fork'):
            own = weakref.ref(self)
            # The parent sends what waits; the child has no thread yet.
            os.register_at_fork(after_in_child=lambda: (lambda it: it and it._reset())(own()))

    def _reset(self):
        self._change = threading.Condition()
        self._waiting = deque()
        self._thread = None
        self._is_sending = False
        self._wanted_now = 0
        self._ends_at = None

    def attempt(self, step):
        """Runs a step of ours, whose fault is no fault of the request."""
        try:
            step()
        except Exception as error:
            self.report(error)

    def report(self, error):
        message = str(error) if str(error).startswith('Footfall: ') else f'Footfall: {error!r}'
        try:
            if self._on_error:
                self._on_error(message)
            elif message not in self._said and len(self._said) < 100:
                self._said.add(message)
                _log.warning('%s', message)
        except Exception:  # an error of the host's own function does not reach its request either
            pass

    def _fail(self, what, hits):
        self.report(f'Footfall: {what}; hits that are lost: {hits}')

    def add(self, hit):
        text = json.dumps(hit, allow_nan=False, separators=(',', ':'))
        with self._change:
            refused = (
                'closed' if self._ends_at is not None
                else 'a hit is too large' if len(text) > MAX_HIT
                else 'too many hits wait' if len(self._waiting) >= MAX_WAITING
                else None
            )  # fmt: skip
            if refused is None:
                self._start()
                self._waiting.append(text)
                self._change.notify_all()
        if refused is not None:
            self._fail(refused, 1)

    def _start(self):
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run, name='footfall', daemon=True)
            self._thread.start()

    def _run(self):
        while True:
            with self._change:
                while not self._waiting:
                    self._change.wait()
                linger = time.monotonic() + LINGER
                while len(self._waiting) < BATCH_HITS and not self._wanted_now and self._ends_at is None:
                    if not self._change.wait(max(0.0, linger - time.monotonic())) and time.monotonic() >= linger:
                        break
                batch = self._take()
                self._is_sending = True
            try:
                self._deliver(batch)
            except Exception as error:
                self.report(error)
            finally:
                with self._change:
                    self._is_sending = False
                    self._change.notify_all()

    def _take(self):
        batch, length = [], 0
        while self._waiting and len(batch) < BATCH_HITS and (not batch or length + len(self._waiting[0]) < BATCH_LENGTH):
            batch.append(self._waiting.popleft())
            length += len(batch[-1]) + 1
        return batch

    def _deliver(self, batch):
        """Sends a batch until it has arrived, was refused, or is too old."""
        body = f'{{"hits":[{",".join(batch)}]}}'.encode()
        key = str(uuid.uuid4())
        since = time.monotonic()
        attempt = 0
        while True:
            attempt += 1
            is_ending = self._ends_at is not None
            seconds = max(0.1, min(TIMEOUT, self._ends_at - time.monotonic())) if is_ending else TIMEOUT
            failed = self._post(body, key, seconds)
            if failed is None:
                return
            why, is_final, after = failed
            is_ending = self._ends_at is not None
            is_last = attempt >= END_ATTEMPTS if is_ending else time.monotonic() - since > MAX_AGE
            if is_final or is_last:
                return self._fail(why, len(batch))
            # Full jitter, so that servers that failed together do not come back together.
            pause = max(after, random.random() * min(MAX_RETRY, FIRST_RETRY * 2 ** min(attempt - 1, 20)))
            until = time.monotonic() + (min(pause, FIRST_RETRY) if is_ending else pause)
            with self._change:
                self._change.wait_for(lambda: not is_ending and self._ends_at is not None, until - time.monotonic())

    def _post(self, body, key, seconds):
        """Returns None if it has arrived, or else why not, whether that is final, and the seconds to wait."""
        headers = {'Authorization': f'Bearer {self._token}', 'Content-Type': 'application/json', 'Idempotency-Key': key}
        try:
            with self._open(urllib.request.Request(self._address, body, headers), timeout=seconds) as answer:
                answer.read()
            return None
        except urllib.error.HTTPError as error:
            try:
                text = error.read(10_000).decode(errors='replace')
            except Exception:
                text = ''
            # An earlier request with this key has not been answered yet.
            is_in_progress = error.code == 409 and 'idempotency_in_progress' in text
            is_final = error.code < 500 and error.code not in (408, 425, 429) and not is_in_progress
            return f'answered {error.code} {text[:300]}', is_final, _retry_after(error.headers.get('Retry-After'))
        except Exception as error:
            return f'cannot be reached, {error}', False, 0.0

    def flush(self):
        with self._change:
            self._wanted_now += 1
            self._change.notify_all()
            self._change.wait_for(lambda: not self._waiting and not self._is_sending)
            self._wanted_now -= 1

    def close(self):
        with self._change:
            if self._ends_at is None:
                self._ends_at = time.monotonic() + END_SECONDS
            self._change.notify_all()  # ends the pause before a repetition
            self._change.wait_for(lambda: not self._waiting and not self._is_sending, max(0.0, self._ends_at - time.monotonic()))
            lost = len(self._waiting)
            self._waiting.clear()
        if lost:
            self._fail('the process ends', lost)


def _retry_after(sent):
    """Seconds. sent: seconds or a date (RFC 9110, section 10.2.3)"""
    try:
        seconds = float(sent) if sent.isdigit() else parsedate_to_datetime(sent).timestamp() - time.time()
        return min(max(0.0, seconds), MAX_RETRY_AFTER)
    except Exception:
        return 0.0

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/**
 * A listener for `http.createServer` that answers once the whole body of a request is there. Senders give requests up in the middle:
 * a browser that leaves a page, a call whose time is over. Such a request gets no answer, and is no error of the test.
 */
export const withBody =
  (answer: (request: IncomingMessage, response: ServerResponse, body: Buffer<ArrayBuffer>) => unknown): RequestListener =>
  (request, response) => {
    void request.toArray().then(
      chunks => answer(request, response, Buffer.concat(chunks)),
      () => {},
    )
  }

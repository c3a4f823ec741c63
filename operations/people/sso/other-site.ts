/**
 * Whether a page of another site sent the browser here (fetch.spec.whatwg.org/#sec-fetch-site). No sign-in begins then without a
 * click: otherwise that site could sign the person in to an account of its own (login CSRF), whose holder then reads what they
 * enter. Typed addresses and bookmarks are `none`. Browsers leave the header out only without TLS.
 */
export const isSentByOtherSite = (request: { header(name: string): string | undefined }): boolean =>
  ['cross-site', 'same-site'].includes(request.header('sec-fetch-site') ?? '')

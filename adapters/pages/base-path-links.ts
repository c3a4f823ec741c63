/**
 * Puts the path of BASE_URL before the addresses of a page: `href="/sites"` becomes `href="/stats/sites"`. Views write addresses
 * within the service.
 *
 * User text is not rewritten: in HTML from our JSX, every quote inside a text or an attribute is `&quot;`.
 */
const addresses = / (href|src|action|formaction|data-(?:next|list|upload|suggestions))="(?=\/(?!\/))/g

export const below = (base: string, html: string): string => (base === '' ? html : html.replace(addresses, (whole: string) => whole + base))

/** The service below a path of a host: `BASE_URL=https://example.com/stats`. Within the service, paths do not have that prefix. */

let known = { baseUrl: '', path: '' }

/** The path of an address: `/stats` of `https://example.com/stats`; empty at the root of a host. @param baseUrl `BASE_URL` */
export function basePath(baseUrl: string): string {
  if (known.baseUrl !== baseUrl) known = { baseUrl, path: URL.canParse(baseUrl) ? new URL(baseUrl).pathname.replace(/\/+$/, '') : '' }
  return known.path
}

/** The path for browsers of a path of the service: `/stats/sites` of `/sites`. Other texts, such as addresses of other hosts, stay. */
export const outside = (path: string, base: string): string => (/^\/(?!\/)/.test(path) ? base + path : path)

/** Metadata of an address with a path is at the root of the host, before that path (RFC 8414 §3.1, RFC 9728 §3.1). */
const metadata = /^\/\.well-known\/oauth-(?:authorization-server|protected-resource)(?=\/)/

/**
 * The path within the service of a path that a client requested: `/sites` of `/stats/sites`. A proxy may have removed the prefix, so
 * other paths stay.
 */
export function within(path: string, base: string): string {
  if (base === '') return path
  const [at = ''] = metadata.exec(path) ?? []
  const rest = path.slice(at.length)
  if (!rest.startsWith(base) || !/^(?:[/?#]|$)/.test(rest.slice(base.length))) return path
  const own = at + rest.slice(base.length)
  return own.startsWith('/') ? own : `/${own}`
}

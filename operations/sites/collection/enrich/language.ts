/** ISO 639 codes that some platforms still send in their withdrawn form. */
const WITHDRAWN = new Map([
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
  ['jw', 'jv'],
  ['mo', 'ro'],
])

/**
 * Returns the visitor's language as an ISO 639 code, for example `de` for `de-DE`. The script's value (`navigator.language`) takes
 * precedence over the Accept-Language header (RFC 9110 §12.5.4), whose highest-weighted range is used. '' is unknown.
 */
export function languageOf(language: string, acceptLanguage = ''): string {
  return primary(language) || (acceptLanguage === '' ? '' : primary(weightiest(acceptLanguage)))
}

function primary(tag: string): string {
  const code = /^\s*([a-z]{2,3})(?![a-z0-9])/i.exec(tag)?.[1]?.toLowerCase() ?? ''
  return WITHDRAWN.get(code) ?? code
}

function weightiest(header: string): string {
  let best = { tag: '', weight: 0 }
  for (const range of header.slice(0, 500).split(',')) {
    const [tag = '', ...parameters] = range.split(';')
    const q = parameters.find(parameter => /^\s*q=/i.test(parameter))
    const weight = q === undefined ? 1 : Number(q.split('=')[1])
    if (weight > best.weight && primary(tag) !== '') best = { tag, weight }
  }
  return best.tag
}

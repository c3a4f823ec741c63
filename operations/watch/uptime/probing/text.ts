/** The text of a page, in the charset that it declares, as browsers find it (html.spec.whatwg.org §13.2.3). */

/** Bytes in which a declaration inside of the page is searched. */
const declaredWithin = 4_096

/** @param body the beginning of a body, or all of it @param contentType its header */
export function textOf(body: Buffer, contentType = ''): string {
  const start = body.subarray(0, declaredWithin).toString('latin1')
  for (const label of [markOf(body), charsetIn(contentType), charsetIn(declarationIn(start)), utf8(body)]) {
    const decoder = label === undefined ? undefined : decoderFor(label)
    if (decoder) return decoder.decode(body)
  }
  return body.toString('latin1')
}

/** A byte order mark outranks what is declared. */
function markOf(body: Buffer): string | undefined {
  const marks = { 'utf-8': 'efbbbf', 'utf-16be': 'feff', 'utf-16le': 'fffe' }
  const start = body.subarray(0, 3).toString('hex')
  return Object.entries(marks).find(([, mark]) => start.startsWith(mark))?.[0]
}

/** Adjacent runs of spaces would take quadratic time. */
function charsetIn(text: string): string | undefined {
  return /(?:charset|encoding)\s*=\s*(?:["']\s*)?([^\s"'>;/]+)/i.exec(text)?.[1]
}

/** The first `<meta>` that names a charset, or the declaration of XML. A page in UTF-16 cannot be read so far. */
function declarationIn(start: string): string {
  const declarations = start.replace(/<!--.*?-->/gs, '').match(/<meta\b[^>]*>|^\s*<\?xml\b[^>]*>/gi) ?? []
  const found = declarations.find(each => charsetIn(each) !== undefined) ?? ''
  return found.replace(/utf-16(le|be)?/i, 'utf-8')
}

/** Without a declaration it is UTF-8 if it can be; otherwise what browsers take, Windows-1252. */
function utf8(body: Buffer): string {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true }) // a character may be cut at the end
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** @returns undefined for an unknown label */
function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

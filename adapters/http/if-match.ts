/** `If-Match`: a change is made only to the version of a record that the client has read (RFC 9110 §13.1.1). */
import { fail } from '../../runtime/table/errors.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import { digestOf, type Precondition, type Versioned, versionedBy, versionOf } from '../../runtime/table/record-versions.ts'

/**
 * The strong ETag of a record. The part after the dot changes with every byte of the answer (RFC 9110 §8.8.1); the part
 * before it changes only with the fields that callers can change.
 */
export function recordTag(versioned: Versioned, record: Readonly<Record<string, unknown>>, body: string): string {
  const known = tags.get(body)
  if (known?.versioned === versioned) return known.tag
  const tag = `"${versionOf(versioned, record)}.${digestOf(body)}"`
  if (body.length <= MAX_BODY && versioned.read.secrets.length === 0) {
    if (tags.size >= MAX_TAGS) tags.clear()
    tags.set(body, { versioned, tag })
  }
  return tag
}

/** Tags by body: programs read the same record again and again, and the two digests take a tenth of such a call. */
const tags = new Map<string, { readonly versioned: Versioned; readonly tag: string }>()
const [MAX_TAGS, MAX_BODY] = [500, 4_000]

/** A list of entity tags with empty elements, which recipients ignore (RFC 9110 §5.6.1, §8.8.3). */
const listOfTags = /^[ \t]*(?:,[ \t]*)*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,[ \t]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*)?)*$/

/** Opaque parts of the strong tags; weak ones never match. @throws Failure `validation_failed` if it is not a list of tags */
export function strongTags(header: string): ReadonlySet<string> | '*' {
  if (header.trim() === '*') return '*'
  if (!listOfTags.test(header))
    fail('validation_failed', undefined, {
      details: [
        {
          in: 'header',
          pointer: '/If-Match',
          code: 'invalid_format',
          message: 'If-Match must be the ETag of the record, with its quotation marks, a list of ETags, or *.',
        },
      ],
    })
  return new Set([...header.matchAll(/(W\/)?"([^"]*)"/g)].filter(([, weak]) => weak === undefined).map(([, , tag = '']) => tag))
}

/** Strong comparison, for a read. @param tag its ETag; undefined: it has none */
export function matchesStrongly(header: string, tag: string | undefined): boolean {
  const tags = strongTags(header)
  return tags === '*' || (tag?.startsWith('"') === true && [...tags].some(each => each.replace(/~\w+$/, '') === tag.slice(1, -1)))
}

/** The record whose ETag an operation answers: the record of a read, or the changed record. */
export function taggedBy(table: Table, operation: NamedOperation): Versioned | undefined {
  const versioned = versionedBy(table).get(operation.id)
  const isShown = operation.effect !== 'delete' && operation.path === versioned?.read.path
  return isShown && operation.output.title === versioned?.read.output.title ? versioned : undefined
}

/**
 * Compares the parts before the dot. A value that changes by itself, such as the time of the last check, is therefore no
 * reason to refuse a change.
 */
export function ifMatch(header: string): Precondition {
  return current => {
    const tags = strongTags(header)
    if (!current) fail('precondition_failed', 'If-Match has nothing to compare with: this operation changes no record that has an ETag.')
    if (tags === '*' || [...tags].some(tag => tag.split('.')[0] === current.version)) return
    fail('precondition_failed', 'The record has changed since it was read: read it again, and then decide about the change.')
  }
}

/**
 * Objects in S3, or in a service with its protocol (MinIO, R2, GCS …). Requests are signed with AWS Signature Version 4 and sent
 * by the guarded client; each carries the SHA-256 of its body, which the server compares with what arrived.
 */
import { m } from './messages.ts'
import { type Message, type Term, valueTerm } from '../../../runtime/texts/message.ts'
import { createHash } from 'node:crypto'
import { type Guard, guardedFetch, type OutboundAnswer, outboundError } from '../../../runtime/outbound/outbound.ts'

export interface BucketAddress {
  /** `https://minio.example.com:9000`; null for AWS. */
  readonly endpoint: string | null
  readonly region: string
  readonly bucket: string
}

export interface BucketKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface BucketObject {
  readonly key: string
  /** Bytes. */
  readonly size: number
}

export interface Bucket {
  put(key: string, body: Uint8Array | string, type: string): Promise<void>
  /** Bytes of an object, at most `maxRead`. @param from first byte @param to the one after the last */
  get(key: string, from: number, to: number): Promise<Buffer>
  /** Objects whose keys begin with a prefix, in the order of the keys. */
  list(prefix: string, max?: number): Promise<BucketObject[]>
  remove(key: string): Promise<void>
  /** Begins an object that exists once its parts are put together. @returns the id of the upload */
  beginParts(key: string, type: string): Promise<string>
  /** Parts are numbered from 1; all but the last have 5 MiB or more. @returns the tag of the part */
  putPart(key: string, upload: string, part: { readonly number: number; readonly body: Uint8Array }): Promise<string>
  /** @param tags of all parts, in order */
  joinParts(key: string, upload: string, tags: readonly string[]): Promise<void>
  /** Aborts an upload and frees its parts. */
  dropParts(key: string, upload: string): Promise<void>
  /** Uploads of this key that were neither completed nor aborted. */
  openParts(key: string): Promise<string[]>
}

/** The reason why a bucket refused a request. Of the server's text, the message contains only the name of the error. */
export class BucketError extends Error {
  readonly code: string
  /** The text for people; `message` is its English. */
  readonly sentence: Message
  constructor(code: string, sentence: Message) {
    super(String(sentence))
    this.code = code
    this.sentence = sentence
  }
}

const MAX_LISTED = 5_000
/** Most bytes that one request reads. */
export const maxRead = 8 * 1024 * 1024
const limits = { timeoutMs: 60_000, connectMs: 5_000, maxBytes: maxRead, redirects: 0 } as const
/** A request ends within this time, ms. */
export const bucketRequestMs = limits.timeoutMs

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

interface RequestContent {
  readonly body?: Uint8Array | string
  readonly type?: string
  readonly range?: string
}

interface OpenBucket {
  readonly address: BucketAddress
  readonly keys: BucketKeys
  readonly guard: Guard
  readonly now: () => number
}

/** @param guard rules for calls to its address @param now the clock for signatures, epoch ms */
export function openBucket({ address, keys, guard, now }: OpenBucket): Bucket {
  const base = baseOf(address)

  async function send(method: Method, path: string, { body, type, range }: RequestContent = {}): Promise<OutboundAnswer> {
    const { AwsV4Signer } = await import('aws4fetch')
    const url = `${base}${path}`
    const signer = new AwsV4Signer({
      method,
      url,
      headers: {
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
        ...(type !== undefined && { 'Content-Type': type }),
        ...(range !== undefined && { Range: range }),
      },
      accessKeyId: keys.accessKeyId,
      secretAccessKey: keys.secretAccessKey,
      service: 's3',
      region: address.region,
      datetime: new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    })
    const signed = await signer.sign()
    const headers = Object.fromEntries([...signed.headers].filter(([name]) => name !== 'host'))
    const answer = await guardedFetch(signed.url.href, { ...guard, ...limits, method, headers, body }).catch(thrown => {
      const { code, sentence } = outboundError(thrown)
      throw new BucketError(code, sentence)
    })
    if (answer.status >= 200 && answer.status < 300) return answer
    throw refused(answer)
  }

  const unlessGone = async (asked: Promise<unknown>, ...codes: readonly string[]): Promise<void> => {
    await asked.catch(thrown => {
      if (!(thrown instanceof BucketError && codes.includes(thrown.code))) throw thrown
    })
  }
  const at = (key: string, query = '') => `/${encoded(key)}${query}`
  const part = (upload: string, number?: number) =>
    `?${new URLSearchParams({ ...(number !== undefined && { partNumber: String(number) }), uploadId: upload })}`

  return {
    async put(key, body, type) {
      await send('PUT', at(key), { body, type })
    },
    async get(key, from, to) {
      const { body } = await send('GET', at(key), { range: `bytes=${from}-${to - 1}` })
      if (body.length !== to - from) throw unread(m.not_the_range)
      return body
    },
    remove: key => unlessGone(send('DELETE', at(key)), 'NoSuchKey'),
    async list(prefix, max = MAX_LISTED) {
      const found: BucketObject[] = []
      let token: string | undefined
      do {
        const query = new URLSearchParams({
          'list-type': '2',
          'encoding-type': 'url',
          prefix,
          ...(token && { 'continuation-token': token }),
        })
        const xml = (await send('GET', `?${query}`)).body.toString('utf8')
        if (!/<ListBucketResult[\s>]/.test(xml)) throw unread(m.no_list)
        for (const [, object = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          found.push({ key: decoded(valueIn(object, 'Key')), size: Number(valueIn(object, 'Size')) })
        }
        token = /<IsTruncated>true<\/IsTruncated>/.test(xml) ? plain(valueIn(xml, 'NextContinuationToken')) : undefined
      } while (token && found.length < max)
      return found.filter(({ key }) => key.startsWith(prefix)).slice(0, max)
    },
    async beginParts(key, type) {
      const xml = (await send('POST', at(key, '?uploads='), { type })).body.toString('utf8')
      const upload = plain(valueIn(xml, 'UploadId'))
      if (upload === '') throw unread(m.no_upload)
      return upload
    },
    async putPart(key, upload, { number, body }) {
      const { headers } = await send('PUT', at(key, part(upload, number)), { body })
      return headers.etag ?? ''
    },
    async joinParts(key, upload, tags) {
      const parts = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`)
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      const answer = await send('POST', at(key, part(upload)), { body, type: 'application/xml' })
      if (/<Error>/.test(answer.body.toString('utf8'))) throw refused(answer) // with status 200, because S3 begins its response before it has finished
    },
    dropParts: (key, upload) => unlessGone(send('DELETE', at(key, part(upload))), 'NoSuchUpload'),
    async openParts(key) {
      const xml = (await send('GET', `?${new URLSearchParams({ uploads: '', prefix: key })}`)).body.toString('utf8')
      const uploads = [...xml.matchAll(/<Upload>(.*?)<\/Upload>/gs)].map(([, upload = '']) => upload)
      return uploads.filter(upload => plain(valueIn(upload, 'Key')) === key).map(upload => plain(valueIn(upload, 'UploadId')))
    },
  }
}

/** On AWS, the bucket is part of the host if the certificate covers it; otherwise it is the first part of the path. */
function baseOf({ endpoint, region, bucket }: BucketAddress): string {
  if (endpoint !== null) return `${endpoint.replace(/\/+$/, '')}/${bucket}`
  return bucket.includes('.') ? `https://s3.${region}.amazonaws.com/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`
}

const encoded = (key: string): string => key.split('/').map(encodeURIComponent).join('/')
const plain = (xml: string): string => xml.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name] ?? '')
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

const escaped = (text: string): string => text.replace(/[<>&]/g, sign => `&#${sign.charCodeAt(0)};`)
/** The text of an element, as written in the XML; '' if there is none. */
const valueIn = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''

function decoded(key: string): string {
  try {
    return decodeURIComponent(plain(key).replaceAll('+', ' '))
  } catch {
    return ''
  }
}

/** The error for a response that violates the protocol. */
const unread = (message: (params: { code: Term }) => Message): BucketError =>
  new BucketError('protocol_error', message({ code: valueTerm('protocol_error') }))

const meanings: Readonly<Record<string, (params: { code: string; status: number }) => Message>> = {
  AccessDenied: m.access_denied,
  InvalidAccessKeyId: m.no_access_key,
  SignatureDoesNotMatch: m.wrong_secret,
  NoSuchBucket: m.no_bucket,
  PermanentRedirect: m.other_region,
  AuthorizationHeaderMalformed: m.other_region,
  XAmzContentSHA256Mismatch: m.wrong_checksum,
  BadDigest: m.wrong_checksum,
  RequestTimeTooSkewed: m.wrong_clock,
  SlowDown: m.too_many_requests,
}

function refused({ status, body }: OutboundAnswer): BucketError {
  const code =
    /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(body.toString('utf8'))?.[1] ?? (status === 403 ? 'AccessDenied' : `status_${status}`)
  const meaning = meanings[code] ?? (status >= 500 ? m.server_fault : m.refused)
  return new BucketError(code, meaning({ code, status }))
}

/**
 * A server that speaks S3: s3rver keeps the objects; in front of it each request is signed again by AWS's own signer and
 * its checksum compared, which s3rver does not do for signatures of version 4. It also keeps a list of uploads in parts,
 * which s3rver can neither list nor give up.
 */
import { createHash, createHmac } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { SignatureV4 } from '../../../tools/smithy-signature.mjs'
import { S3rver } from '../../../tools/s3rver.mjs'
import { fastFolder } from '../../support/files.ts'

/** The keys that it knows. */
export const keys = { access_key_id: 'S3RVER', secret_access_key: 'S3RVER' } as const

export interface BucketServer {
  readonly endpoint: string
  readonly folder: string
  /** Requests so far: `PUT /lake/…`. */
  readonly requests: string[]
  /** Uploads in parts that were not finished: their keys, by id. */
  readonly uploads: ReadonlyMap<string, string>
  /** The next requests are answered with this status, or with 0 not at all. */
  fail(times: number, status: number): void
  close(): Promise<void>
}

export async function startBuckets(): Promise<BucketServer> {
  const folder = fs.mkdtempSync(path.join(fastFolder(), 'footfall-s3-'))
  const store = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    vhostBuckets: false,
    configureBuckets: [{ name: 'lake' }],
  })
  const { port } = await store.run()
  const requests: string[] = []
  const uploads = new Map<string, string>()
  let failing = { times: 0, status: 0 }
  const front = http.createServer((request, response) => {
    void (async () => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece)
      const body = Buffer.concat(pieces)
      if (failing.times > 0) {
        failing = { ...failing, times: failing.times - 1 }
        return failing.status === 0 ? response.destroy() : response.writeHead(failing.status).end()
      }
      const code = await faultOf(request, body)
      if (code) return response.writeHead(403).end(`<Error><Code>${code}</Code></Error>`)
      requests.push(`${request.method} ${decodeURIComponent(request.url ?? '')}`)
      const { method = '', url = '', headers } = request
      const { pathname, searchParams } = new URL(url, 'http://s3')
      const [, key = ''] = /^\/[^/]+\/(.*)$/.exec(decodeURIComponent(pathname)) ?? []
      const upload = searchParams.get('uploadId') ?? ''
      if (method === 'GET' && searchParams.has('uploads')) {
        const open = [...uploads].map(([id, key]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`)
        return response.end(`<ListMultipartUploadsResult>${open.join('')}</ListMultipartUploadsResult>`)
      }
      if (upload !== '' && !uploads.has(upload)) return response.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>')
      if (upload !== '' && method !== 'PUT') uploads.delete(upload)
      if (upload !== '' && method === 'DELETE') return response.writeHead(204).end()
      const passed = http.request({ host: '127.0.0.1', port, method, path: url, headers }, answer => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        if (method === 'POST' && searchParams.has('uploads'))
          answer.on('data', piece => uploads.set(/<UploadId>(.*?)</.exec(String(piece))?.[1] ?? '', key))
        answer.pipe(response)
      })
      passed.on('error', () => response.destroy())
      passed.end(body)
    })().catch(() => response.destroy())
  })
  await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
  const address = front.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    folder,
    requests,
    uploads,
    fail(times, status) {
      failing = { times, status }
    },
    async close() {
      front.closeAllConnections()
      await new Promise(resolve => front.close(resolve))
      await store.close()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

class Sha256 {
  readonly #hash
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret))
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data))
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
  reset(): void {
    throw new Error('never reset')
  }
}

const bytesOf = (data: string | ArrayBuffer | ArrayBufferView): Uint8Array =>
  typeof data === 'string'
    ? Buffer.from(data)
    : ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data)

/** The code that S3 refuses a request with; undefined for one that is as it should be. */
async function faultOf({ method = '', url = '', headers }: http.IncomingMessage, body: Buffer): Promise<string | undefined> {
  const form = /^AWS4-HMAC-SHA256 Credential=(\S+?)\/\d{8}\/([\w-]+)\/s3\/aws4_request, SignedHeaders=(\S+), Signature=(\w+)$/
  const [, key, region = '', signed = '', signature] = form.exec(headers.authorization ?? '') ?? []
  if (key !== keys.access_key_id) return 'InvalidAccessKeyId'
  if (headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex')) return 'XAmzContentSHA256Mismatch'
  const { pathname, searchParams } = new URL(url, 'http://s3')
  const signer = new SignatureV4({
    credentials: { accessKeyId: keys.access_key_id, secretAccessKey: keys.secret_access_key },
    region,
    service: 's3',
    sha256: Sha256,
    uriEscapePath: false,
  })
  const date = String(headers['x-amz-date']).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const again = await signer.sign(
    {
      method,
      protocol: 'http:',
      hostname: 's3',
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: Object.fromEntries(signed.split(';').map(name => [name, String(headers[name])])),
      body,
    },
    { signingDate: new Date(date) },
  )
  return again.headers.authorization?.endsWith(`Signature=${signature}`) ? undefined : 'SignatureDoesNotMatch'
}

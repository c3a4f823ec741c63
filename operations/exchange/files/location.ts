/** The location of files, from `FILES_URL`. */
import { fileOf } from '../../../storage/store.ts'
import type { BucketAddress, BucketKeys } from './bucket.ts'

export type Location = { readonly folder: string } | { readonly address: BucketAddress; readonly keys: BucketKeys; readonly prefix: string }

/** Undefined if the text is not a location. */
export function locationIn(text: string): Location | undefined {
  if (/^file:.+/.test(text)) return { folder: fileOf(text) ?? '' }
  if (!/^s3:\/\//.test(text) || !URL.canParse(text)) return undefined
  const { username, password, hostname, port, pathname, searchParams } = new URL(text)
  const endpoint = searchParams.get('endpoint')
  const known = [...searchParams.keys()].every(name => name === 'region' || name === 'endpoint')
  const isAddress = endpoint === null || (/^https?:\/\/[^/?#@]+\/?$/.test(endpoint) && URL.canParse(endpoint))
  if (username === '' || password === '' || port !== '' || !/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(hostname) || !known || !isAddress)
    return undefined
  try {
    return {
      address: { endpoint, region: searchParams.get('region') || 'us-east-1', bucket: hostname },
      keys: { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) },
      prefix: decodeURIComponent(pathname).replace(/^\/+|\/+$/g, ''),
    }
  } catch {
    return undefined // a % that does not begin a code
  }
}

/** What other areas may use of this one: files, and links to them. */
export { type Bucket, BucketError, bucketRequestMs, openBucket } from './bucket.ts'
export { files } from './files.ts'
export { checkOwner } from './check-owner.ts'
export { bytesBetween, FileReplaced, type Files, type StoredFile } from './file-store.ts'
export { checkLink, linkTo } from './links.ts'

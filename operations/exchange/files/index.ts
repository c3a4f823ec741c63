/** Public functions of files for other areas: the store, and links to files. */
export { BucketError, openBucket } from './bucket.ts'
export { files } from './files.ts'
export { filesNextTo } from './default-folder.ts'
export { bytesBetween, FileReplaced, type Files, FilesUnusable, type StoredFile } from './file-store.ts'
export { checkLink, signedLink } from './links.ts'
export { locationIn } from './location.ts'
export { openPlace } from './place.ts'

import { createRequire } from 'node:module'

// Required, because of an import Node reads the whole package twice more, to find out its format and its exports.
export const ts = createRequire(import.meta.url)('typescript')

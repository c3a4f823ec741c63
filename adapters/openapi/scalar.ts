/** Scalar, the script of the API reference. */
import { createRequire } from 'node:module'
import path from 'node:path'

const { resolve } = createRequire(import.meta.url)

/**
 * Files of Scalar before a build copies them. This package has the same script as `@scalar/api-reference`, without the 300
 * packages that the script was made of.
 */
export function scalarFiles(): { readonly script: string; readonly manifest: string } {
  const folder = path.dirname(resolve('@scalar/fastify-api-reference'))
  return { script: path.join(folder, 'js/standalone.js'), manifest: path.join(folder, '../package.json') }
}

/** Files of Scalar: the copies of a build, or else the files of the package. */
export const scalar = (): ReturnType<typeof scalarFiles> =>
  import.meta.built ? { script: resolve('#built/scalar/standalone.js'), manifest: resolve('#built/scalar/package.json') } : scalarFiles()

/** Options for bundling TypeScript, shared by the service, benchmarks and tests. */
import { createRequire } from 'node:module'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'
import manifest from '../../package.json' with { type: 'json' }
import { packages, withDependencies } from './licences.ts'
import { root } from './root.ts'

declare global {
  interface ImportMeta {
    /** True in built code; undefined in sources. */
    readonly built?: true
    /** True in the service, whose build checks what operations declare; undefined elsewhere: each start checks it. */
    readonly checked?: true
  }
}

export { root }

const requireFrom = createRequire(import.meta.url)

/**
 * Packages are bundled, because finding and reading their 600 files is half of a start. Excluded are compiled ones, an
 * optional one of `pg`, and development packages with their dependencies: one that must be loaded before another has to
 * stay external, as external modules are all loaded before bundled ones. So must the import of passkeys, which loads
 * `reflect-metadata` before what needs it.
 */
const external = ['@node-rs/argon2', 'pg-native', '@simplewebauthn/server', '@peculiar/x509', 'reflect-metadata', ...ofDevelopment()]

/** Files of tools/ are imported as they are: only from there their packages are found. */
export const leaveToTools: Plugin = {
  name: 'leave to tools',
  setup: ({ initialOptions, onResolve }) =>
    onResolve({ filter: /\/tools\/[\w-]+\.mjs$/ }, ({ path: name, resolveDir }) => {
      const file = path.resolve(resolveDir, name)
      return { path: initialOptions.format === 'cjs' ? file : pathToFileURL(file).href, external: true }
    }),
}

/**
 * To ask whether it runs at Cloudflare, `pg` makes a response if there is no `navigator`: Node 20 then loads all of `fetch`, a tenth of
 * the start of a command.
 */
export const askLess: Plugin = {
  name: 'ask less',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/pg\/lib\/stream\.js$/ }, async ({ path: file }) => {
      const source = await fs.promises.readFile(file, 'utf8')
      const question = "typeof Response === 'function'"
      if (!source.includes(question)) throw new Error(`${file} does not make a response any more`)
      return { loader: 'js', contents: source.replace(question, 'false') }
    }),
}

const shared = {
  absWorkingDir: root,
  bundle: true,
  external,
  platform: 'node',
  target: 'node20',
  sourcemap: 'linked',
  sourcesContent: false,
  define: { 'import.meta.built': 'true', 'import.meta.checked': 'undefined', ...definedCommit() },
  metafile: true,
  logLevel: 'warning',
} satisfies BuildOptions

/** A release passes the commit that it is made from. Other builds have none, as their sources may have changes. */
function definedCommit(): Record<string, string> {
  const { FOOTFALL_COMMIT } = process.env
  return { 'import.meta.commit': FOOTFALL_COMMIT === undefined || FOOTFALL_COMMIT === '' ? 'undefined' : JSON.stringify(FOOTFALL_COMMIT) }
}

/** Programs that share common chunks. */
export const programs = (entries: Readonly<Record<string, string>>, outdir: string) =>
  ({
    ...shared,
    entryPoints: { ...entries },
    outdir,
    format: 'esm',
    splitting: true,
    plugins: [leaveToTools],
    chunkNames: 'chunks/[hash]',
    banner: { js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url)` }, // for packages in CommonJS
  }) satisfies BuildOptions

/** Large packages that a service may never need, imported where they are used: not in its one file, but in ones of their own. */
const apart = ['@clickhouse/client', 'badge-maker', 'nodemailer', 're2js', 'stripe']
const fileApart = (name: string) => `packages/${name.replace('@', '').replace('/', '-')}`
/** So is a file of ours that uses many packages; it may import nothing that has a state in the service. */
const telemetry = 'packages/telemetry'
const leaveApart: Plugin = {
  name: 'leave apart',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[a-z@]/ }, ({ path, kind }) =>
      kind !== 'import-statement' && apart.includes(path) ? { path: `./${fileApart(path)}.cjs`, external: true } : undefined,
    )
    onResolve({ filter: /\/telemetry\/telemetry\.ts$/ }, () => ({ path: `./${telemetry}.cjs`, external: true }))
  },
}

/** Starters: `footfall`, which calls the API by itself, and what runs a command of `service` from its code cache. */
export const starters = {
  ...programs({ footfall: 'scripts/footfall.ts', 'run-command': 'scripts/run-command.ts' }, 'dist'),
  minifyWhitespace: true, // a quarter of their size; the package may be 60 MB
} satisfies BuildOptions

const commonJs = {
  ...shared,
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  define: { ...shared.define, 'import.meta.url': 'importMetaUrl' },
  banner: { js: `const importMetaUrl = require('node:url').pathToFileURL(__filename).href` },
} satisfies BuildOptions

/**
 * Programs as single CommonJS files: V8 keeps a code cache only of such (scripts/code-cache.mjs). A program
 * that runs from a cache cannot import() another file, so it requires it.
 */
export const cachedPrograms = (entryPoints: Readonly<Record<string, string>>, outdir: string) =>
  ({ ...commonJs, entryPoints: { ...entryPoints }, outdir, supported: { 'dynamic-import': false } }) satisfies BuildOptions

/** The service, and the other commands of the machine. */
export const service = {
  ...cachedPrograms({ commands: 'scripts/commands.ts' }, 'dist'),
  define: { ...commonJs.define, 'import.meta.checked': 'true' },
  plugins: [leaveApart, askLess],
  minifyWhitespace: true, // a quarter of what a start reads
  lineLimit: 200, // Node prints the line of an error that is not caught
} satisfies BuildOptions

/** Packages and telemetry, outside the bundle of the service: a CommonJS file each. */
export const packagesApart = {
  ...commonJs,
  minifyWhitespace: true,
  minifySyntax: true,
  entryPoints: {
    ...Object.fromEntries(apart.map(name => [fileApart(name), requireFrom.resolve(name)])),
    [telemetry]: path.join(root, 'runtime/telemetry/telemetry.ts'),
  },
} satisfies BuildOptions

/** Threads: a single CommonJS file each, and one that runs them from a code cache, so they cannot import() either. */
export const threads = {
  ...cachedPrograms(
    {
      thread: 'scripts/thread.mjs',
      'report-thread': 'storage/engine/threads/worker.ts',
      'parquet-thread': 'operations/exchange/imports/parquet/worker.ts',
      'saml-thread': 'operations/people/sso/saml-thread.ts',
      'backup-thread': 'storage/dialects/backup-thread.ts',
    },
    'dist',
  ),
  plugins: [askLess],
  minifyWhitespace: true,
} satisfies BuildOptions

/** Assets of pages: stylesheets, and scripts that pages work better with. */
export const pageAssets = {
  absWorkingDir: root,
  entryPoints: {
    app: 'adapters/pages/styles/app.css',
    status: 'adapters/pages/styles/status.css',
    keep: 'adapters/pages/client/keep.js',
    passkeys: 'adapters/pages/client/passkeys.js',
    page: 'adapters/pages/client/page.js',
    embed: 'adapters/pages/client/embed.js',
    signup: 'adapters/pages/client/signup.js',
  },
  outdir: 'dist/pages',
  bundle: true,
  minify: true,
  external: ['/assets/*'],
  format: 'esm',
  target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
  metafile: true,
  logLevel: 'warning',
} satisfies BuildOptions

/**
 * As npm marked them, without the packages of `bundled` in package.json and their dependencies: `dist/` contains them, so an
 * installed package does not need them.
 */
function ofDevelopment(): string[] {
  const inBundle = new Set(withDependencies(manifest.bundled))
  return Object.entries(packages).flatMap(([folder, { dev }]) =>
    dev && !inBundle.has(folder) ? (/^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(folder)?.[1] ?? []) : [],
  )
}

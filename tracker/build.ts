/** Builds the tracker for browsers, back to ES2017. */
import { build, type BuildOptions, type Metafile } from 'esbuild'
import { fileURLToPath } from 'node:url'
import { foreignScripts, SETTINGS, type Tracker, VARIANT } from './tracker.ts'

/** Apache-2.0, section 4, requires the notice with every copy. */
const WEB_VITALS_NOTICE = '/*! Contains web-vitals, Copyright 2020 Google LLC, Apache-2.0 */'

const root = fileURLToPath(new URL('..', import.meta.url))

const script = (name: string, banner = '') =>
  ({
    absWorkingDir: root,
    entryPoints: [`tracker/src/${name}.ts`],
    outdir: 'dist/tracker',
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2017',
    metafile: true,
    legalComments: 'none',
    logLevel: 'silent',
    banner: { js: banner },
    define: { VARIANT: JSON.stringify(VARIANT), SETTINGS: JSON.stringify(SETTINGS) },
  }) satisfies BuildOptions

/** The script that every page loads, that for web vitals, that for Plausible's snippet, that with a site's settings, one for `<footfall-count>`, and those in place of others. */
export const trackerOptions = [
  script('footfall'),
  script('vitals', WEB_VITALS_NOTICE),
  script('plausible'),
  script('site'),
  script('count'),
  ...foreignScripts.map(name => script(name)),
]

/** Modules of the npm package for pages and servers. They run nothing on import, and bundlers minify them with the rest. */
const npmModule = (entryPoints: Readonly<Record<string, string>>, target: string) =>
  ({
    absWorkingDir: root,
    entryPoints: { ...entryPoints },
    outdir: 'dist/npm',
    bundle: true,
    format: 'esm',
    target,
    metafile: true,
    legalComments: 'none',
    logLevel: 'silent',
  }) satisfies BuildOptions

export const moduleOptions = [
  npmModule({ tracker: 'tracker/src/module.ts' }, 'es2017'),
  npmModule({ server: 'tracker/server/server.ts' }, 'es2022'),
]

/** All scripts and modules and their inputs, not yet written. */
export const trackerFiles = async () => {
  const made = await Promise.all([...trackerOptions, ...moduleOptions].map(options => build({ ...options, write: false })))
  return {
    outputFiles: made.flatMap(({ outputFiles }) => outputFiles),
    metafile: { inputs: Object.assign({}, ...made.map(({ metafile }) => metafile.inputs)) as Metafile['inputs'] },
  }
}

/** The tracker built from the current sources. */
export const buildTracker = async (): Promise<Tracker> => {
  const { outputFiles } = await trackerFiles()
  const [script = '', vitals = '', plausible = '', site = '', count = '', ...others] = outputFiles.map(file => file.text)
  return { script, vitals, plausible, site, count: async () => count, foreign: async name => others[foreignScripts.indexOf(name)] ?? '' }
}

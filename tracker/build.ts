import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'

/** The tracker as browsers get it. */
export type Tracker = Readonly<{ script: string, vitals: string }>

/** Apache-2.0, section 4: the notice goes where the work goes. */
const WEB_VITALS_NOTICE = '/*! Contains web-vitals, Copyright 2020 Google LLC, Apache-2.0 */'

const bundle = async (source: string, banner = ''): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`src/${source}`, import.meta.url))],
    bundle: true, minify: true, format: 'iife', target: 'es2017', write: false,
    legalComments: 'none', logLevel: 'silent', banner: { js: banner },
  })
  return outputFiles.map((file) => file.text).join('')
}

/** Bundles both scripts in memory, for browsers back to ES2017. Takes some 50 ms: keep the answer. */
export const buildTracker = async (): Promise<Tracker> => {
  const [script, vitals] = await Promise.all([bundle('footfall.ts'), bundle('vitals.ts', WEB_VITALS_NOTICE)])
  return { script, vitals }
}

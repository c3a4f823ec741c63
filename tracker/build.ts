/** Makes the tracker for browsers, back to ES2017. */
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'
import type { Tracker } from './built.ts'

export type { Tracker }

/** Apache-2.0, section 4: the notice goes where the work goes. */
const WEB_VITALS_NOTICE = '/*! Contains web-vitals, Copyright 2020 Google LLC, Apache-2.0 */'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Both scripts and what they were made of, as files of `dist/tracker/` that are not written yet. */
export const trackerFiles = async () => {
  const [script, vitals] = await Promise.all([bundle('footfall'), bundle('vitals', WEB_VITALS_NOTICE)])
  return {
    outputFiles: [...script.outputFiles, ...vitals.outputFiles],
    metafile: { inputs: { ...script.metafile.inputs, ...vitals.metafile.inputs } },
  }
}

const bundle = (name: string, banner = '') => build({
  absWorkingDir: root, entryPoints: [`tracker/src/${name}.ts`], outdir: 'dist/tracker',
  bundle: true, minify: true, format: 'iife', target: 'es2017', write: false, metafile: true,
  legalComments: 'none', logLevel: 'silent', banner: { js: banner },
})

/** The tracker as it is in the sources now. */
export const buildTracker = async (): Promise<Tracker> => {
  const { outputFiles } = await trackerFiles()
  const [script = '', vitals = ''] = outputFiles.map(file => file.text)
  return { script, vitals }
}

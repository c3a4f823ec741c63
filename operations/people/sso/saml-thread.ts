/** Runs in a thread: reads one SAML message after another. */
import { parentPort } from 'node:worker_threads'
import { readSaml, type SamlWork } from './saml-library.ts'

const port = parentPort
if (!port) throw new Error('this file runs in a worker thread')
port.on('message', (work: SamlWork) => {
  void readSaml(work).then(outcome => port.postMessage(outcome))
})

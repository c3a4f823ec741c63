/** fast-check, which draws from the seed of the run: `import fc from '../support/properties.ts'`. */
import { fc } from '../../tools/fast-check.mjs'
import { seed } from './chance.ts'

fc.configureGlobal({ seed })

export default fc

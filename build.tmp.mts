import { buildTests } from './scripts/build/tests.ts'
import { chooseTests } from './scripts/build/choose-tests.ts'
const t=process.cpuUsage(); const w=Date.now()
const built = await buildTests(chooseTests([]), 'dist/tests/exp')
const c=process.cpuUsage(t); console.log(built.length, (c.user+c.system)/1e6, Date.now()-w)

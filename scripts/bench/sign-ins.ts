/**
 * `npm run bench -- sign-ins [seconds]`: the p99 of hits at a steady rate, without other load and while 100 people at a time sign in
 * with their passwords, again and again. Bar: not beyond twice, as passwords are hashed off the main thread.
 */
import { keepPassword, hashPassword } from '../../operations/people/sign-in/index.ts'
import { openStore } from '../../storage/store.ts'
import { hits } from './hits.ts'
import { type Load, load, median } from './load.ts'
import { benchServer, type BenchServer, withDatabases } from './running.ts'

const [seconds = 3] = process.argv.slice(2).map(Number).filter(Number.isFinite)
const [atOnce, rate, pairs] = [100, 200, 3]
const [origin, email, password] = ['http://bench.example.com', 'bench@example.com', 'a sentence nobody else has']

await withDatabases(async (engine, url) => {
  const server = await benchServer(url, { BASE_URL: origin, SIGN_IN_TRIES: '0', SIGN_IN_TRIES_ACCOUNT: '0', SIGN_IN_TRIES_ADDRESS: '0' })
  await givePassword(url)
  const hitting = () => load(`${server.address}/api/event`, { seconds, connections: 16, overallRate: rate, requests: hits() })
  await hitting()
  const [alone, beside]: [Load[], Load[]] = [[], []]
  let signedIn = 0
  for (let i = 0; i < pairs; i++) {
    alone.push(await hitting())
    const running = hitting()
    signedIn += await signInUntil(server, running)
    beside.push(await running)
  }
  await server.stop()
  const failures = [...alone, ...beside].reduce((sum, each) => sum + each.failures, 0)
  const p99 = (of: readonly Load[]) => median(of.map(each => each.p99))
  const ratio = median(beside.map((each, i) => each.p99 / Math.max(1, alone[i]?.p99 ?? 1)))
  process.stdout.write(
    `sign-ins, ${engine.padEnd(9)} p99 of ${rate} hits/s ${p99(alone)} ms · with ${atOnce} sign-ins at once ${p99(beside)} ms · ratio ${ratio.toFixed(2)}` +
      ` · ${signedIn} signed in, ${Math.round(signedIn / (seconds * pairs))}/s${failures > 0 ? ` · ${failures} hits FAILED` : ''}\n`,
  )
})

/** The password of the owner that the server made. */
async function givePassword(url: string): Promise<void> {
  const store = openStore(url)
  const { id } = await store.read.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  await keepPassword(store.write, { accountId: id, hashed: await hashPassword(password), now: Date.now() })
  await store.close()
}

/** @returns how many signed in @throws Error if one is refused */
async function signInUntil({ address }: BenchServer, ended: Promise<unknown>): Promise<number> {
  let [count, isOver] = [0, false]
  void ended.finally(() => (isOver = true))
  while (!isOver) {
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        const answer = await fetch(`${address}/session.json`, {
          method: 'POST',
          headers: { Origin: origin, 'Content-Type': 'application/json' },
          body: JSON.stringify({ email, password }),
        })
        if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
        await answer.arrayBuffer()
      }),
    )
    count += atOnce
  }
  return count
}

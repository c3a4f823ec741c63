/** Answers in the language of the account, whole: no sentence of them stays English. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { isFull } from '../../support/full.ts'
import { makeWorld, ownPage, request, startService, type TestService, type World } from '../../support/world.ts'
import { NOW } from './expected.ts'
import { makeGarden } from './garden.ts'
import { questions } from './questions.ts'

/** Words that answers have in English, and that are none in the other languages. */
const english =
  /\b(the|of|and|with|by|are|that|than|more|less|most|least|last|this|weeks?|months?|days?|year|yesterday|today|before|compared|beginning|not|up to|average|rate|visitors?|visits?|pageviews?|revenue|events?|goals?|countries|country|cities|city|devices?|channels?|languages?|browsers|systems|campaigns|I|did|know|nothing|higher|lower|gained|lost|Germany|Switzerland|Monday|Tuesday|Other)\b/

/** Without what people wrote: in quotation marks and code, suggested questions, labels of rows, paths. */
const ownWords = (content: string): string =>
  content
    .replace(/[“„«][^“”»]*[“”»]|`[^`]*`/g, '')
    .replace(/^- [^*(:]*$/gm, '')
    .replace(/^(\d+\.|-) .*?(?=: \*\*)/gm, '')
    .replace(/(?<=\s)\/\S*/g, '')
    .replace(/week-end/g, '')

onAnyEngine('answers in the language of the account', engine => {
  let service: TestService
  let world: World
  let site: string
  before(async () => {
    service = await startService(engine)
    service.clock.now = NOW // a session that is made later would be over
    world = await makeWorld(service)
    site = await makeGarden(service, world, 3_000)
  })
  after(() => service.close())

  const speak = (locale: string) =>
    service.store.write.updateTable('accounts').set({ locale }).where('id', '=', world.owner.accountId).execute()

  /** As the form of the page sends it. @returns the page and the message as it is stored */
  async function ask(question: string) {
    const [token, headers] = [world.shown.session ?? '', { Accept: 'text/html', ...ownPage }]
    const asked = await request(service, 'POST', `/sites/${site}/ask`, {
      token,
      body: String(new URLSearchParams({ '/question': question })),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    })
    assert.equal(asked.status, 303, asked.text)
    const { status, text } = await request(service, 'GET', asked.headers.get('location') ?? '', { token, headers })
    assert.equal(status, 200, text)
    const message = await service.store.read
      .selectFrom('assistant_messages')
      .selectAll()
      .where('conversation_id', '=', /ask_\w{10,}/.exec(text)?.[0] ?? '')
      .where('role', '=', 'assistant')
      .executeTakeFirstOrThrow()
    return { text, message }
  }

  // Each language is asked others.
  for (const [at, locale] of ['de', 'es', 'fr'].entries())
    test(`${locale}: no answer has an English sentence`, async () => {
      await speak(locale)
      const mixed: string[] = []
      for (const { text } of questions.filter((_, i) => i % (isFull ? 30 : 90) === at)) {
        const { content } = (await ask(text)).message
        if (english.test(ownWords(content))) mixed.push(`${text}\n${content}`)
      }
      assert.deepEqual(mixed, [])
    })

  test('figures, dates, money, names of places and what cannot be answered', async () => {
    await speak('de')
    const says = async (question: string) => (await ask(question)).message.content.replaceAll('\u00a0', ' ')
    assert.match(
      await says('how many visitors from germany last week?'),
      /^\*\*\d+ Besucher\*\* \(je Tag, addiert\), letzte Woche \(9\.–15\. November 2026\), Land Deutschland\. [\d,]+ % (mehr|weniger) als im Zeitraum 2\.–8\. November 2026 \(\d+\)\.$/,
    )
    assert.match(await says('revenue last year'), /^\*\*Umsatz [\d.]+,\d\d €\*\*, letztes Jahr/)
    assert.match(await says('visitors next week'), /^Das liegt in der Zukunft/)
    assert.match(await says('visitors of the moon'), /^Ich habe „moon“ nicht verstanden/)
    const { text, message } = await ask('top 3 countries this year')
    const chart = JSON.parse(message.chart ?? '')
    assert.deepEqual([chart.columns[0].name, chart.columns[1].name, chart.rows[0][0]], ['Land', 'Besucher', 'Deutschland'])
    assert.ok(text.includes('>Deutschland<'))
  })

  test('a stored answer keeps its language, and programs are answered in English', async () => {
    await speak('fr')
    const { message } = await ask('visitors yesterday')
    await speak('de')
    const stored = await request(service, 'GET', `/sites/${site}/ask/${message.conversation_id}.json`, { token: world.token })
    assert.equal(stored.body.data.messages[1].content, message.content)
    assert.match(message.content, /visiteurs\*\*, hier/)
    const asked = await request(service, 'POST', `/sites/${site}/ask.json`, {
      token: world.token,
      body: { question: 'visitors yesterday' },
    })
    assert.match(asked.body.data.messages[1].content, /visitors\*\*, yesterday/)
  })
})

/** Answers in the language of the account, whole: no sentence of them stays English. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../../support/engines.ts'
import { makeWorld, ownPage, request, startService, type TestService, type World } from '../../support/world.ts'
import { NOW } from './expected.ts'
import { makeGarden } from './garden.ts'
import { questions } from './questions.ts'

/** Words that sentences of answers have in English, and in none of the other languages. */
const english =
  /\b(the|of|and|with|by|was|were|are|that|than|more|less|most|least|last|this|week|weeks|month|months|day|days|year|yesterday|today|before|compared|beginning|not|up to|average|rate|visitors?|visits?|pageviews?|conversions?|revenue|events?|goals?|sources?|pages?|countries|country|cities|city|devices?|channels?|languages?|browsers|systems|campaigns|I|did|know|nothing|points|higher|lower|gained|lost|Germany|Austria|Switzerland|German|Monday|Tuesday|Mobile|Other)\b/
const common: Readonly<Record<string, RegExp>> = {
  de: english,
  // Words that the language has as well.
  es: english,
  fr: new RegExp(english.source.replace(/points\||pages\?\||sources\?\||conversions\?\||\|Mobile/g, '')),
}

onEachEngine('answers in the language of the account', engine => {
  let service: TestService
  let world: World
  let site: string
  before(async () => {
    service = await startService(engine)
    service.clock.now = NOW
    world = await makeWorld(service)
    site = await makeGarden(service, world)
  })
  after(() => service.close())

  const speak = (locale: string) =>
    service.store.write.updateTable('accounts').set({ locale }).where('id', '=', world.owner.accountId).execute()

  /** As a form of a page sends it. @returns the answer as it is stored */
  async function ask(question: string): Promise<{ content: string; chart: string | null; page: string }> {
    const sent = await request(service, 'POST', `/sites/${site}/ask`, {
      token: world.shown.session ?? '',
      body: String(new URLSearchParams({ '/question': question })),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', ...ownPage },
    })
    assert.equal(sent.status, 201, sent.text)
    const page = sent.text
    const id = /ask_\w+/.exec(page)?.[0] ?? ''
    const { content, chart } = await service.store.read
      .selectFrom('assistant_messages')
      .select(['content', 'chart'])
      .where('conversation_id', '=', id)
      .where('role', '=', 'assistant')
      .executeTakeFirstOrThrow()
    return { content, chart, page }
  }

  /** Without what questions and visitors wrote: in quotation marks, code, suggestions and rows of visitors' texts. */
  const own = (content: string): string => content

  for (const [locale, words] of Object.entries(common)) {
    const asked = engine.name === 'sqlite' ? questions : questions.filter((_, i) => i % 20 === 0)
    test(`${locale}: no answer has an English sentence`, async () => {
      await speak(locale)
      const mixed: string[] = []
      const all: string[] = []
      for (const { text } of asked) {
        const { content } = await ask(text)
        all.push(`? ${text}\n${content}\n`)
        if (words.test(own(content))) mixed.push(`${text}\n   ${content}`)
      }
      ;(await import('node:fs')).writeFileSync(`/tmp/words/${locale}.txt`, all.join('\n'))
      ;(await import('node:fs')).writeFileSync(`/tmp/words/${locale}-mixed.txt`, mixed.join('\n'))
      assert.equal(mixed.length, 0)
    })
  }
})

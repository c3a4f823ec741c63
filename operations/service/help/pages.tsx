import type { Child } from 'hono/jsx'
import { say } from '../../../runtime/texts/say.ts'
import { Code } from '../../../runtime/ui/copy.tsx'
import { Form } from '../../../runtime/ui/form.tsx'
import { ui } from '../../../runtime/ui/messages.ts'
import { view } from '../../../runtime/ui/view.ts'
import { m } from './messages.ts'
import { Help } from './records.ts'

/** Where to find help: a search of the manual, then each place with what it is for. */
export const help = view(Help, ({ data, page: { viewer } }) => (
  <>
    <search>
      <Form method="GET" class="find-form" action={data.search_url}>
        <input
          type="search"
          name="q"
          required
          maxlength={200}
          aria-label={say(viewer, m.search_manual)}
          placeholder={say(viewer, m.search_manual)}
        />
        <button type="submit">{say(viewer, ui.search)}</button>
      </Form>
    </search>
    <ul class="tiles">
      <Place name={say(viewer, m.manual)} href={data.documentation_url}>
        {say(viewer, m.manual_says)}
      </Place>
      <Place name={say(viewer, m.reference)} href={data.reference_url}>
        {say(viewer, m.reference_says)}
      </Place>
      <Place name={say(viewer, m.openapi)} href={data.openapi_url}>
        {say(viewer, m.openapi_says)}
      </Place>
      {data.installation_url !== null && (
        <Place name={say(viewer, m.installation)} href={data.installation_url}>
          {say(viewer, m.installation_says)}
        </Place>
      )}
      {data.feedback_email !== null && (
        <Place name={say(viewer, m.write_to)} href={`mailto:${data.feedback_email}`}>
          {data.feedback_email}
        </Place>
      )}
    </ul>
    <section class="card" aria-labelledby="agents">
      <h2 id="agents">{say(viewer, m.agents)}</h2>
      <p class="help">{say(viewer, m.agents_says)}</p>
      <Code content={data.mcp_url} reader={viewer} />
    </section>
    <p class="help">{say(viewer, m.version, { version: data.version })}</p>
  </>
))

const Place = ({ name, href, children }: { name: string; href: string; children?: Child }) => (
  <li class="card">
    <h2>
      <a href={href}>{name}</a>
    </h2>
    <p class="help">{children}</p>
  </li>
)

/** Reads the schema of a database from the catalogs of its engine, for comparison in tests. */
import { type RawBuilder, sql } from 'kysely'
import type { Store } from '../../storage/store.ts'

/** Lists everything of the schema, a sorted line each. The order of columns is left out: an added column is the last one. */
export async function schemaOf(store: Store): Promise<string[]> {
  const lines = await Promise.all(questions[store.dialect.name].map(question => question.execute(store.read)))
  return lines.flatMap(({ rows }) => rows.map(({ line }) => line)).sort()
}

type Question = RawBuilder<{ line: string }>

const questions: Readonly<Record<Store['dialect']['name'], readonly Question[]>> = {
  sqlite: [
    sql`select 'table ' || name || ' ' || wr || ' ' || strict as line from pragma_table_list
      where schema = 'main' and type = 'table' and name not like 'sqlite%'`,
    sql`select 'column ' || t.name || '.' || c.name || ' ' || c.type || ' ' || iif(c."notnull", 'not null', 'null')
      || ' default ' || coalesce(c.dflt_value, 'none') || ' key ' || c.pk as line
      from pragma_table_list as t join pragma_table_xinfo(t.name) as c where t.schema = 'main' and t.name not like 'sqlite%'`,
    sql`select 'index ' || iif(i.origin = 'c', i.name, i.origin) || ' on ' || t.name || ' (' || group_concat(c.name || iif(c.desc, ' desc', ''), ', ')
      || ') unique ' || i."unique" || ' ' || coalesce(substr(m.sql, instr(m.sql, ' where ')), '') as line
      from pragma_table_list as t join pragma_index_list(t.name) as i join pragma_index_xinfo(i.name) as c
      left join sqlite_master as m on m.name = i.name and i.partial
      where t.schema = 'main' and c.key group by t.name, i.name`,
    sql`select 'foreign key ' || t.name || '.' || f."from" || ' ' || f."table" || '.' || coalesce(f."to", '') || ' ' || f.on_delete as line
      from pragma_table_list as t join pragma_foreign_key_list(t.name) as f where t.schema = 'main'`,
    sql`select 'trigger ' || sql as line from sqlite_master where type = 'trigger'`,
  ],
  postgres: [
    sql`select 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attnotnull then ' not null' else ' null' end || ' default ' || coalesce(pg_get_expr(d.adbin, d.adrelid), 'none')
      || ' identity ' || a.attidentity::text || ' storage ' || a.attstorage::text as line
      from pg_attribute as a join pg_class as c on c.oid = a.attrelid and c.relkind = 'r'
      join pg_namespace as n on n.oid = c.relnamespace and n.nspname = 'public'
      left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum where a.attnum > 0 and not a.attisdropped`,
    sql`select 'index ' || indexdef as line from pg_indexes where schemaname = 'public'`,
    sql`select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n'`,
    sql`select 'trigger ' || pg_get_triggerdef(oid) as line from pg_trigger where not tgisinternal`,
    sql`select 'function ' || pg_get_functiondef(oid) as line from pg_proc where pronamespace = 'public'::regnamespace`,
  ],
}

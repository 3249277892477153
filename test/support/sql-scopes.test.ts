import { describe, expect, it } from 'vitest'
import { capturedNames } from './sql-scopes'

describe('names of tables that a sub-query takes from the query around it', () => {
  it.each([
    [
      'in a condition',
      'select 1 from accounts a where exists (select 1 from accounts a where a.id = a.id)',
      ['a'],
    ],
    [
      'without an alias',
      'select 1 from blocks where exists (select 1 from blocks where blocks.id = 1)',
      ['blocks'],
    ],
    ['among columns', 'select (select x.id from t x where x.id = x.up) from t x', ['x']],
    [
      'two levels up',
      'select 1 from a where id in (select 1 from b where (1 = (select a.id from a)))',
      ['a'],
    ],
    [
      'in the second part of a union',
      'select 1 union select 1 from t where id = (select t.id from t)',
      ['t'],
    ],
    ['of what is updated', 'update t set n = (select count(*) from u t where t.id = 1)', ['t']],
    ['of a join', 'select 1 from u join t on 1 where exists (select 1 from t where t.id = u.id)', ['t']],
    ['of a later table', 'select 1 from u, json_each(u.list) i where u.id in (select i.id from i)', ['i']],
    ['in quotes', 'select 1 from "T" where exists (select 1 from "T" where "T"."id" = 1)', ['t']],
  ])('%s', (_, text, captured) => {
    expect(capturedNames(text)).toEqual(captured)
  })

  it.each([
    [
      'side by side',
      'select 1 from a where exists (select 1 from b x where x.id) or exists (select 1 from c x where x.id)',
    ],
    ['in a table of its own', 'select 1 from (select s.id from s where s.id = 1) p join s on s.id = p.id'],
    [
      'in what is named before',
      'with p as (select s.id from s), q(i) as materialized (select s.id from s) select s.id from p, s',
    ],
    ['where columns are not told apart', 'delete from t where id in (select id from t where up = ?)'],
    [
      'in texts',
      "select 1 from t where name = 'from t where (select t.id' and exists (select 1 from u where u.id = t.id)",
    ],
    ['in both parts of a union', 'select s.id from s union select s.id from s'],
    [
      'after an upsert',
      'insert into t (id) select u.id from u where 1 on conflict do update set id = excluded.id',
    ],
  ])('accepts the same name %s', (_, text) => {
    expect(capturedNames(text)).toEqual([])
  })
})

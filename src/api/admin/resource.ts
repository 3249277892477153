import * as z from 'zod'
import { Id } from '../../contract/scalars'
import type { Query } from '../../db/query'
import type { Page } from '../../domain/core/page'
import type { Moderator } from '../../domain/core/viewer'
import type { Ctx } from '../../ports/ctx'
import { showFound } from '../api-response'
import {
  type Auth,
  type Endpoint,
  type EndpointCall,
  endpoint,
  readEndpoint,
  updateEndpoints,
} from '../endpoint'
import { page, pageOf, paging } from '../paginate'

/** Input that names one entity by its id. */
export const ById = z.object({ id: Id })

interface ResourceSpec<Row, Entity> {
  readonly path: `/${string}`
  readonly reading: Auth<Moderator>
  readonly writing: Auth<Moderator>
  readonly output: z.ZodType<unknown, Entity>
  /** Input that names one row, if not `ById`. */
  readonly named?: z.ZodType<{ readonly id: number }>
  present(row: Row, ctx: Ctx): Entity | Promise<Entity>
}

/** Command that writes a row and returns it as it is afterwards. */
interface Command<Row, I extends z.ZodType> {
  readonly input: I
  readonly takesFiles?: true
  run(ctx: Ctx, call: EndpointCall<Moderator, I>): Promise<Row>
}

/** Entities that staff manage under one path, each a row; declares their endpoints. */
export class AdminResource<Row extends { readonly id: number }, Entity> {
  readonly #spec: ResourceSpec<Row, Entity>
  readonly #named: z.ZodType<{ readonly id: number }>

  constructor(spec: ResourceSpec<Row, Entity>) {
    this.#spec = spec
    this.#named = spec.named ?? ById
  }

  /** GET of all rows, for entities that are few. */
  all(summary: string, find: (ctx: Ctx) => Query<readonly Row[]>): Endpoint {
    const { path, reading, output } = this.#spec
    return readEndpoint({
      path,
      summary,
      auth: reading,
      output: z.array(output),
      read: find,
      show: (ctx, { found }) => this.#presentAll(ctx, found),
    })
  }

  /** GET of the rows in pages by id. `limits`: rows of a page by default, and at most. */
  list(
    summary: string,
    limits: readonly [number, number],
    find: (ctx: Ctx, page: Page) => Query<readonly Row[]>,
  ): Endpoint {
    const { path, reading, output } = this.#spec
    return readEndpoint({
      path,
      summary,
      auth: reading,
      input: z.object(paging(...limits)),
      output: z.array(output),
      read: (ctx, { input }) => find(ctx, pageOf(input)),
      show: async (ctx, { found, request, input }) =>
        page(await this.#presentAll(ctx, found), request, {
          cursors: found.map(({ id }) => id),
          limit: input.limit,
        }),
    })
  }

  /** GET of one row. */
  one(summary: string, find: (ctx: Ctx, id: number) => Query<Row | null>): Endpoint {
    const { path, reading, output, present } = this.#spec
    return readEndpoint({
      path: `${path}/:id`,
      summary,
      auth: reading,
      input: this.#named,
      output,
      read: (ctx, { input }) => find(ctx, input.id),
      show: showFound(present),
    })
  }

  /** POST that adds a row. */
  create<I extends z.ZodType>(summary: string, { run, ...command }: Command<Row, I>): Endpoint {
    const { path, writing: auth, output, present } = this.#spec
    return endpoint({
      ...command,
      path,
      summary,
      auth,
      output,
      run: async (ctx, call) => present(await run(ctx, call), ctx),
    })
  }

  /** PUT and PATCH of one row. */
  update<I extends z.ZodType>(summary: string, { run, ...command }: Command<Row, I>): Endpoint[] {
    const { path, writing: auth, output, present } = this.#spec
    return updateEndpoints({
      ...command,
      path: `${path}/:id`,
      summary,
      auth,
      output,
      run: async (ctx, call) => present(await run(ctx, call), ctx),
    })
  }

  /** POST of a command on one row that takes no parameters. */
  act(
    verb: string,
    summary: string,
    run: (ctx: Ctx, moderator: Moderator, id: number) => Promise<Row>,
  ): Endpoint {
    const { path, writing, output, present } = this.#spec
    return endpoint({
      path: `${path}/:id/${verb}`,
      summary,
      auth: writing,
      input: this.#named,
      output,
      run: async (ctx, { viewer, input }) => present(await run(ctx, viewer, input.id), ctx),
    })
  }

  /** DELETE of one row. */
  remove(summary: string, run: (ctx: Ctx, moderator: Moderator, id: number) => Promise<void>): Endpoint {
    const { path, writing } = this.#spec
    return endpoint({
      method: 'DELETE',
      path: `${path}/:id`,
      summary,
      auth: writing,
      input: this.#named,
      run: (ctx, { viewer, input }) => run(ctx, viewer, input.id),
    })
  }

  #presentAll(ctx: Ctx, found: readonly Row[]): Promise<Entity[]> {
    return Promise.all(found.map((row) => this.#spec.present(row, ctx)))
  }
}

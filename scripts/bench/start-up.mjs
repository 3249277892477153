// Yardstick of the start of an isolate: a Worker that defines 1,000 schemas as it starts and does nothing else. What the app does
// then is mostly of this kind, so both take longer together where the machine is slower. Runs in workerd.
import * as z from 'zod'

const schemas = Array.from({ length: 1_000 }, () =>
  z.object({ id: z.string(), count: z.int().min(0), tags: z.array(z.string()).optional() }),
)

export default { fetch: () => Response.json(schemas.length) }

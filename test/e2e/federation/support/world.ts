import { type Instance, openInstance } from './instance'
import { Router } from './router'

/** Several instances that know the way to each other. */
export interface World {
  readonly router: Router
  readonly instances: readonly Instance[]
  close(): Promise<void>
}

/** Opens one instance for each name, `a` at `https://a.test`. */
export async function openWorld(...names: readonly string[]): Promise<World> {
  const router = new Router()
  router.install()
  const instances = await Promise.all(names.map((name) => openInstance(name, router)))
  const close = async () => {
    await Promise.all(instances.map((instance) => instance.close()))
    router.uninstall()
  }
  return { router, instances, close }
}

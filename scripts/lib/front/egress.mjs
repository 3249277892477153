// Way out of the Worker on its own server: addresses of the public internet only, whatever a host name resolves to. On
// Cloudflare no Worker reaches a private network; here the network of the operator would be one request away. Runs in workerd.
export default { fetch: (request, env) => env.PUBLIC.fetch(request) }

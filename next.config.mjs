/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  serverExternalPackages: ['graphile-worker', 'pg', 'pino', '@prisma/client'],
  // `npm run check` checks the types of everything, tests and scripts included, in one go.
  typescript: { ignoreBuildErrors: true },
  logging: { incomingRequests: false },
};

export default config;

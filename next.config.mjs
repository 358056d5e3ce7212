/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  serverExternalPackages: ['graphile-worker', 'pg', 'pino', '@prisma/client'],
  logging: { incomingRequests: false },
};

export default config;

npm start supergraph -- --cwd ./gateways/tessera --test $1
exec ./gateway/node_modules/.bin/tessera serve --supergraph supergraph.graphql --port 4000

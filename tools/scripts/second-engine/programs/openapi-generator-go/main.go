// Calls the three APIs with the client that openapi-generator makes in Go. The client takes each API's address from the
// document.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	marquee "example.com/marquee/client"
)

func check(err error, call string) {
	if err != nil {
		log.Fatalf("%s: %v", call, err)
	}
}

func expect(seen, expected any, what string) {
	if fmt.Sprint(seen) != fmt.Sprint(expected) {
		log.Fatalf("%s: %v, expected %v", what, seen, expected)
	}
}

func withKey(key string) context.Context {
	keys := map[string]marquee.APIKey{"apiKey": {Key: key}}
	return context.WithValue(context.Background(), marquee.ContextAPIKeys, keys)
}

func main() {
	client := marquee.NewAPIClient(marquee.NewConfiguration())
	server := withKey(os.Getenv("KEY"))
	user := context.WithValue(context.Background(), marquee.ContextAccessToken, os.Getenv("TOKEN"))

	contract, _, err := client.NFTAPI.CreateContract(server).
		ContractRequest(*marquee.NewContractRequest("Go", "GO", "MATIC")).Execute()
	check(err, "createContract")
	request := marquee.NewNftRequest(os.Getenv("RECEIVER"), *marquee.NewNftMetadataRequest("Seat 1"))
	token, _, err := client.NFTAPI.MintToken(server, contract.Address).NftRequest(*request).Execute()
	check(err, "mintToken")
	tokens, _, err := client.NFTAPI.ListTokens(server, contract.Address).Limit(3).Execute()
	check(err, "listTokens")
	expect(len(tokens), 1, "tokens")
	expect(tokens[0].Id, token.Id, "the token's id")

	change := marquee.NewUserDataChange()
	change.SetUserData(map[string]any{"email": "go@example.com"})
	_, _, err = client.UserDataAPI.PutUserData(user).UserDataChange(*change).IfNoneMatch("*").Execute()
	check(err, "putUserData")
	mine, _, err := client.UserDataAPI.GetApplicationUserSub(user).Execute()
	check(err, "getApplicationUserSub")

	read, _, err := client.UserDataAPI.ReadUserData(server).ApplicationUserSub(*mine).Execute()
	check(err, "readUserData")
	expect(read.UserData["email"], "go@example.com", "the e-mail")
	_, response, err := client.UserDataAPI.ReadUserData(server).
		ApplicationUserSub(*marquee.NewApplicationUserSub("nobody")).Execute()
	expect(err != nil, true, "an unknown user is an error")
	expect(response.StatusCode, 404, "the status of an unknown user")

	_, response, err = client.NFTAPI.GetContract(withKey("wrong"), contract.Address).Execute()
	expect(err != nil, true, "a wrong key is an error")
	expect(response.StatusCode, 403, "the status of a wrong key")
}
